import type { VNode, VNodeChild } from "vue";
import { isHiding, toVisible } from "../schema/visible_text.ts";
import { fieldId, type FieldProps, issuesAt } from "./field_props.ts";

/**
 * What a control says about itself, with the ids of its hint and its faults. A text that was emptied
 * is a value, and so no longer missing.
 */
export interface ControlAttributes {
  readonly id: string;
  readonly required: boolean;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** The attributes of a field's control. */
export function controlAttributes(
  { path, schema, issues, required, value }: FieldProps,
): ControlAttributes {
  const id = fieldId(path);
  const hasFault = issuesAt(path, issues).length > 0;
  const described = [
    ...(typeof schema.description === "string" ? [`${id}.hint`] : []),
    ...(hasFault ? [`${id}.fault`] : []),
  ];
  return {
    id,
    required: required && value === undefined,
    "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
    "aria-invalid": hasFault ? true : undefined,
  };
}

/** What follows a control or a legend: what the value means, and what is wrong with it. */
export function FieldNotes({ path, schema, issues }: FieldProps): VNode {
  const id = fieldId(path);
  const faults = issuesAt(path, issues);
  return (
    <>
      {typeof schema.description === "string" && (
        <p class="hint" id={`${id}.hint`}>{schema.description}</p>
      )}
      {faults.length > 0 && <p class="fault" id={`${id}.fault`}>{faults.join("; ")}</p>}
    </>
  );
}

/** Shows a text again with what is hidden in it, as a link can have it; nothing if all of it is seen. */
export function HiddenText({ value }: { readonly value: string }): VNode | null {
  if (!isHiding(value)) return null;
  return (
    <p class="fault hidden-text" role="status">
      Some of it can't be seen: <code>{toVisible(value)}</code>
    </p>
  );
}

type WithChildren = FieldProps & {
  readonly children?: VNodeChild;
  /** Whether another field has room beside it. */
  readonly isShort?: boolean;
};

interface Content {
  readonly slots: { readonly default?: () => VNode[] };
}

/** A control with its label. */
export function FieldFrame(props: WithChildren, { slots }: Content): VNode {
  return (
    <div class={["field", { short: props.isShort }]}>
      <label for={fieldId(props.path)}>{props.label}{drawMark(props)}</label>
      {slots.default?.()}
      <FieldNotes {...props} />
    </div>
  );
}

/** A group of fields with its name. */
export function FieldGroup(props: WithChildren, { slots }: Content): VNode {
  return (
    <fieldset class="group">
      <legend>{props.label}{drawMark(props)}</legend>
      <FieldNotes {...props} />
      {slots.default?.()}
    </fieldset>
  );
}

function drawMark({ required, isEntry = false }: FieldProps): VNode | string {
  return required && !isEntry ? <span class="required" title="required">*</span> : "";
}
