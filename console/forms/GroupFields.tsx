import type { JsonValue } from "@trestle/mcp-server";
import type { VNode } from "vue";
import { isObject } from "../schema/field.ts";
import { initialItem } from "../schema/initial_value.ts";
import { eventValue } from "./event_value.ts";
import { FieldGroup } from "./FieldFrame.tsx";
import { fieldId, type KindProps } from "./field_props.ts";
import { Icon } from "../components/Icon.tsx";

/** Edits the properties of an object; one that is not required can be added and removed. */
export function ObjectField(props: KindProps<"object">): VNode {
  const { field, value, required, label, path, update, Nested } = props;
  const entries = isObject(value) ? value : {};
  if (!required && value === undefined) {
    return <AddButton text={`Add ${label}`} add={() => update({})} />;
  }
  const set = (name: string, next: JsonValue | undefined) => {
    const { [name]: _old, ...others } = entries;
    update(next === undefined ? others : { ...entries, [name]: next });
  };
  const fields = field.properties.map(({ name, schema, required }) => (
    <Nested
      key={name}
      {...props}
      label={name}
      schema={schema}
      required={required}
      isEntry={false}
      value={entries[name]}
      path={[...path, name]}
      update={(next) => set(name, next)}
    />
  ));
  if (path.length === 0) return <div class="fields">{fields}</div>;
  return (
    <FieldGroup {...props}>
      {fields}
      {!required && <RemoveButton text={`Remove ${label}`} remove={() => update(undefined)} />}
    </FieldGroup>
  );
}

/** Edits a list. */
export function ListField(props: KindProps<"list">): VNode {
  const { field, value, root, label, path, required, update, Nested } = props;
  const items = Array.isArray(value) ? value : [];
  const set = (next: readonly JsonValue[]) =>
    update(next.length === 0 && !required ? undefined : [...next]);
  return (
    <FieldGroup {...props}>
      {items.map((item, index) => (
        <div class="item" key={index}>
          <Nested
            {...props}
            label={`${label} ${index + 1}`}
            schema={field.item}
            required
            isEntry
            value={item}
            path={[...path, index]}
            update={(next) => set(items.with(index, next ?? null))}
          />
          {items.length > field.min && (
            <RemoveButton
              text={`Remove ${label} ${index + 1}`}
              remove={() => set(items.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {items.length < field.max && (
        <AddButton
          text={`Add ${label} ${items.length + 1}`}
          add={() => set([...items, initialItem(field.item, root)])}
        />
      )}
    </FieldGroup>
  );
}

type Entry = readonly [key: string, value: JsonValue];

/** Edits an object whose keys are free. */
export function MapField(props: KindProps<"map">): VNode {
  const { field, value, root, label, path, required, update, Nested } = props;
  const entries = entriesOf(value);
  const set = (next: readonly Entry[]) =>
    update(next.length === 0 && !required ? undefined : Object.fromEntries(next));
  const rename = (index: number, key: string) => {
    const isTaken = entries.some(([other], at) => at !== index && other === key);
    if (!isTaken) set(entries.map((entry, at) => at === index ? [key, entry[1]] : entry));
  };
  return (
    <FieldGroup {...props}>
      {entries.map(([key, item], index) => (
        <div class="item pair" key={index}>
          <KeyInput
            id={`${fieldId([...path, index])}.key`}
            value={key}
            rename={(next) => rename(index, next)}
          />
          <Nested
            {...props}
            label="value"
            schema={field.value}
            required
            isEntry
            value={item}
            path={[...path, key]}
            update={(next) =>
              set(entries.map((entry, at) => at === index ? [key, next ?? ""] : entry))}
          />
          <RemoveButton
            text={`Remove ${label} ${key}`}
            remove={() => set(entries.toSpliced(index, 1))}
          />
        </div>
      ))}
      <AddButton
        text={`Add to ${label}`}
        add={() => set([...entries, [freeKey(entries), initialItem(field.value, root)]])}
      />
    </FieldGroup>
  );
}

interface KeyInputProps {
  readonly id: string;
  readonly value: string;
  readonly rename: (key: string) => void;
}

function KeyInput({ id, value, rename }: KeyInputProps): VNode {
  return (
    <div class="field">
      <label for={id}>name</label>
      <input
        id={id}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onChange={(event) => rename(eventValue(event))}
      />
    </div>
  );
}

function entriesOf(value: JsonValue | undefined): readonly Entry[] {
  return Object.entries(isObject(value) ? value : {}).map(([key, item]) => [key, item ?? null]);
}

function freeKey(entries: readonly Entry[]): string {
  const taken = new Set(entries.map(([key]) => key));
  const candidates = Array.from({ length: entries.length + 1 }, (_, index) => `NAME_${index + 1}`);
  return candidates.find((key) => !taken.has(key)) ?? "NAME";
}

/** Adds something to a group. */
function AddButton(
  { text, add }: { readonly text: string; readonly add: () => void },
): VNode {
  return (
    <button type="button" class="quiet add" onClick={add}>
      <Icon name="plus" /> {text}
    </button>
  );
}

/** Removes something from a group. */
function RemoveButton(
  { text, remove }: { readonly text: string; readonly remove: () => void },
): VNode {
  return (
    <button type="button" class="quiet remove" aria-label={text} title={text} onClick={remove}>
      <Icon name="close" />
    </button>
  );
}
