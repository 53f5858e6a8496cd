import { defineComponent, ref, watch } from "vue";
import { isSame } from "../schema/initial_value.ts";
import { eventValue } from "./event_value.ts";
import { controlAttributes, FieldFrame } from "./FieldFrame.tsx";
import { FIELD_PROPS, type FieldProps } from "./field_props.ts";
import { parseJson, toJsonText } from "./parse_json.ts";

/** Edits any value as JSON; a text that is not JSON changes nothing. */
export const JsonField = defineComponent((props: FieldProps) => {
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
    fault.value = parsed.ok ? "" : parsed.fault;
    if (parsed.ok) props.update(parsed.value);
  }

  return () => {
    const issues = fault.value === "" ? props.issues : [{ path: props.path, message: fault.value }];
    return (
      <FieldFrame {...props} issues={issues}>
        <textarea
          rows={1}
          class="code"
          {...controlAttributes({ ...props, issues })}
          value={draft.value}
          placeholder="JSON"
          spellcheck={false}
          onInput={take}
        />
      </FieldFrame>
    );
  };
}, { props: FIELD_PROPS, name: "JsonField" });
