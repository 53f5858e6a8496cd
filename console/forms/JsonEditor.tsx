import type { JsonObject } from "@trestle/mcp-server";
import { defineComponent } from "vue";
import { isObject } from "../schema/field.ts";
import { useJsonDraft } from "./use_json_draft.ts";

interface JsonEditorProps {
  readonly label: string;
  readonly value: JsonObject;
  /** Takes what was entered, whenever it is an object. */
  readonly update: (value: JsonObject) => void;
}

/** The arguments of a call as a text, which changes with the form and changes it. */
export const JsonEditor = defineComponent((props: JsonEditorProps) => {
  const { text, fault, take } = useJsonDraft(() => props.value, (value) => {
    if (!isObject(value)) return "It must be an object";
    props.update(value);
    return undefined;
  });

  return () => (
    <div class="json-editor">
      <label for="json">{props.label}</label>
      <textarea
        id="json"
        class="code"
        spellcheck={false}
        autocomplete="off"
        value={text.value}
        aria-invalid={fault.value !== "" ? true : undefined}
        aria-describedby="json.fault"
        onInput={take}
      />
      <p class="fault" id="json.fault" role="status">{fault.value}</p>
    </div>
  );
}, { props: ["label", "value", "update"], name: "JsonEditor" });
