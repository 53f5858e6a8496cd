import type { JsonValue } from "@trestle/mcp-server";
import type { VNode } from "vue";
import { isSame } from "../schema/initial_value.ts";
import { eventChecked, eventValue } from "./event_value.ts";
import { CodeField, isProgram } from "./CodeField.tsx";
import { controlAttributes, FieldFrame, FieldNotes, HiddenText } from "./FieldFrame.tsx";
import { fieldId, type FieldProps, type KindProps, toFieldProps } from "./field_props.ts";

/** Edits a text; an empty one that is not required is left out. */
export function TextField(props: KindProps<"text">): VNode {
  const { field, value, required, schema, update, path } = props;
  if (!field.secret && isProgram(path)) return <CodeField {...toFieldProps(props)} />;
  const shared = {
    ...controlAttributes(props),
    value: typeof value === "string" ? value : "",
    placeholder: typeof schema.default === "string" ? schema.default : undefined,
    spellcheck: false,
    autocomplete: "off",
    onInput: (event: Event) => {
      const text = eventValue(event);
      update(text === "" && !required ? undefined : text);
    },
  };
  return (
    <FieldFrame {...props}>
      {field.secret
        ? <input type="password" {...shared} />
        : <textarea rows={1} autocapitalize="off" {...shared} />}
      {!field.secret && <HiddenText value={shared.value} />}
    </FieldFrame>
  );
}

/** Edits a time in milliseconds as seconds. */
function SecondsField(props: KindProps<"number">): VNode {
  const { value, schema, field: { min, max }, update } = props;
  const toSeconds = (text: string) => text.replaceAll(/\d+/g, (ms) => String(Number(ms) / 1_000));
  const [, bounds] = /^ms \((.*)\)/.exec(String(schema.description ?? "")) ?? [];
  const hint = bounds === undefined ? {} : { description: toSeconds(bounds) };
  const shown = { ...props, label: "Time-out in seconds", schema: { ...schema, ...hint } };
  return (
    <FieldFrame {...shown} isShort>
      <input
        type="number"
        {...controlAttributes(shown)}
        value={typeof value === "number" ? value / 1_000 : ""}
        step="any"
        min={min === undefined ? undefined : min / 1_000}
        max={max === undefined ? undefined : max / 1_000}
        onInput={(event) => {
          const text = eventValue(event);
          update(text === "" ? undefined : Math.round(Number(text) * 1_000));
        }}
      />
    </FieldFrame>
  );
}

/** Edits a number. */
export function NumberField(props: KindProps<"number">): VNode {
  const { field, value, schema, update, path } = props;
  if (path.at(-1) === "timeoutMs") return <SecondsField {...props} />;
  const take = (event: Event) => {
    const text = eventValue(event);
    update(text === "" ? undefined : Number(text));
  };
  return (
    <FieldFrame {...props} isShort>
      <input
        type="number"
        {...controlAttributes(props)}
        value={typeof value === "number" ? value : ""}
        placeholder={typeof schema.default === "number" ? String(schema.default) : undefined}
        step={field.integer ? 1 : "any"}
        min={field.min}
        max={field.max}
        onInput={take}
      />
    </FieldFrame>
  );
}

/** Chooses one of several values. */
export function ChoiceField(props: KindProps<"choice">): VNode {
  const { field, value, schema, required, update } = props;
  const chosen = field.values.findIndex((one) => isSame(one, value));
  const take = (event: Event) => {
    const index = eventValue(event);
    update(index === "" ? undefined : field.values[Number(index)]);
  };
  return (
    <FieldFrame {...props} isShort>
      <select {...controlAttributes(props)} onChange={take}>
        {(!required || chosen < 0) && (
          <option value="" selected={chosen < 0}>
            {schema.default === undefined ? "" : `default: ${toText(schema.default)}`}
          </option>
        )}
        {field.values.map((one, index) => (
          <option value={index} key={index} selected={index === chosen}>{toText(one)}</option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** Edits a truth value; one that is the default is left out. */
export function BooleanField(props: KindProps<"boolean">): VNode {
  const { value, schema, required, label, update } = props;
  const usual = schema.default === true;
  const take = (isChecked: boolean) =>
    update(isChecked === usual && !required ? undefined : isChecked);
  return checkBox(props, { label, isChecked: typeof value === "boolean" ? value : usual, take });
}

/** Shows the only value that is allowed; one that is not required can be left out. */
export function ConstantField(props: KindProps<"constant">): VNode {
  const { field, value, required, update } = props;
  return checkBox(props, {
    label: `${props.label}: ${toText(field.value)}`,
    isChecked: isSame(value, field.value),
    isFixed: required && value !== undefined,
    take: (isChecked) => update(isChecked ? field.value : undefined),
  });
}

interface CheckBox {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isFixed?: boolean;
  readonly take: (isChecked: boolean) => void;
}

/** A check box is never `required`: for a form that would mean that it must be checked. */
function checkBox(props: FieldProps, { label, isChecked, isFixed, take }: CheckBox): VNode {
  return (
    <div class="field check">
      <input
        type="checkbox"
        {...controlAttributes(props)}
        required={false}
        checked={isChecked}
        disabled={isFixed}
        onChange={(event) => take(eventChecked(event))}
      />
      <label for={fieldId(props.path)}>{label}</label>
      <FieldNotes {...props} />
    </div>
  );
}

function toText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
