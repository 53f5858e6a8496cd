import type { JsonObject } from "@trestle/mcp-server";
import { defineComponent, ref, watch } from "vue";
import { isObject } from "../schema/field.ts";
import { isSame } from "../schema/initial_value.ts";
import { eventValue } from "./event_value.ts";
import { parseJson, toJsonText } from "./parse_json.ts";

interface JsonEditorProps {
  readonly label: string;
  readonly value: JsonObject;
  /** Takes what was entered, whenever it is an object. */
  readonly update: (value: JsonObject) => void;
}

/** The arguments of a call as a text, which changes with the form and changes it. */
export const JsonEditor = defineComponent((props: JsonEditorProps) => {
  const draft = ref(toJsonText(props.value));
  const fault = ref("");

  watch(() => props.value, (value) => {
    const parsed = parseJson(draft.value);
    if (parsed.ok && isSame(parsed.value, value)) return;
    draft.value = toJsonText(value);
    fault.value = "";
  });

  function take(event: Event): void {
    draft.value = eventValue(event);
    const parsed = parseJson(draft.value);
    if (!parsed.ok) fault.value = parsed.fault;
    else if (!isObject(parsed.value)) fault.value = "It must be an object";
    else {
      fault.value = "";
      props.update(parsed.value);
    }
  }

  return () => (
    <div class="json-editor">
      <label for="json">{props.label}</label>
      <textarea
        id="json"
        class="code"
        spellcheck={false}
        autocomplete="off"
        value={draft.value}
        aria-invalid={fault.value !== "" ? true : undefined}
        aria-describedby="json.fault"
        onInput={take}
      />
      <p class="fault" id="json.fault" role="status">{fault.value}</p>
    </div>
  );
}, { props: ["label", "value", "update"], name: "JsonEditor" });
