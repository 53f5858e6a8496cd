import type { JsonObject } from "@trestle/mcp-server";
import { defineComponent } from "vue";
import { isObject } from "../schema/field.ts";
import { useJsonDraft } from "./use_json_draft.ts";
import { controlAttributes, FieldFrame } from "./FieldFrame.tsx";
import { FIELD_PROPS, type FieldProps } from "./field_props.ts";

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
