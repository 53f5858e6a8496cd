import { defineComponent } from "vue";
import { controlAttributes, FieldFrame } from "./FieldFrame.tsx";
import { FIELD_PROPS, type FieldProps } from "./field_props.ts";
import { useJsonDraft } from "./use_json_draft.ts";

/** Edits any value as JSON. */
export const JsonField = defineComponent((props: FieldProps) => {
  const { text, fault, take } = useJsonDraft(
    () => props.value,
    (value) => void props.update(value),
  );

  return () => {
    const issues = fault.value === "" ? props.issues : [{ path: props.path, message: fault.value }];
    return (
      <FieldFrame {...props} issues={issues}>
        <textarea
          rows={1}
          class="code"
          {...controlAttributes({ ...props, issues })}
          value={text.value}
          placeholder="JSON"
          spellcheck={false}
          onInput={take}
        />
      </FieldFrame>
    );
  };
}, { props: FIELD_PROPS, name: "JsonField" });
