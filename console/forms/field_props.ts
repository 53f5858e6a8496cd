import type { Issue, JsonValue } from "@trestle/mcp-server";
import type { VNode } from "vue";
import type { Field, Schema } from "../schema/field.ts";

/** Keys and positions that lead to a value. */
export type Path = readonly (string | number)[];

/** What every field of a form takes. */
export interface FieldProps {
  /** What the value is called. */
  readonly label: string;
  /** Schema of the value. */
  readonly schema: Schema;
  /** The whole schema, to which references refer. */
  readonly root: Schema;
  /** The value; `undefined` if there is none. */
  readonly value: JsonValue | undefined;
  /** Whether there must be a value. */
  readonly required: boolean;
  /** Whether it is an entry of a list or a map, and so there as long as the entry is. */
  readonly isEntry?: boolean;
  /** Where the value is. */
  readonly path: Path;
  /** What is wrong with the values of the form. */
  readonly issues: readonly Issue[];
  /** Takes the new value, or `undefined` to remove it. */
  readonly update: (value: JsonValue | undefined) => void;
}

/** What a field of one kind takes in addition. */
export type KindProps<Kind extends Field["kind"]> = FieldProps & {
  /** The schema, as it was read. */
  readonly field: Field & { readonly kind: Kind };
  /** Edits a value within the value. */
  readonly Nested: (props: FieldProps) => VNode;
};

/** Names of the props, as Vue wants them where a component has state. */
export const FIELD_PROPS: (keyof FieldProps)[] = [
  "label",
  "schema",
  "root",
  "value",
  "required",
  "isEntry",
  "path",
  "issues",
  "update",
];

/** The props that every field takes, of those that one kind takes. */
export function toFieldProps(props: FieldProps): FieldProps {
  const { label, schema, root, value, required, isEntry, path, issues, update } = props;
  const shared = { label, schema, root, value, required, path, issues, update };
  return isEntry === undefined ? shared : { ...shared, isEntry };
}

/** The id of a field's control. */
export function fieldId(path: Path): string {
  return ["field", ...path.map((key) => encodeURIComponent(key))].join(".");
}

/** What is wrong with the value at a path itself. */
export function issuesAt(path: Path, issues: readonly Issue[]): readonly string[] {
  const isHere = (issue: Issue) =>
    issue.path.length === path.length && issue.path.every((key, index) => key === path[index]);
  return issues.filter(isHere).map(({ message }) => message);
}
