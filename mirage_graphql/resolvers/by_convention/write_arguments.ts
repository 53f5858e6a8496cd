import { getNullableType, type GraphQLInputType, isListType } from "graphql";
import { isObject } from "../../orm/mirage.ts";
import type { Values } from "./record_matcher.ts";
import {
  fieldsOf,
  isObjectInput,
  isOwnId,
  keysOf,
  rolesOf,
  type WriteArgument,
  type WriteRole,
  type WriteSubject,
} from "./write_roles.ts";

/** A `where`, and its input type. */
export interface Where {
  readonly where: Values;
  readonly type: GraphQLInputType;
}

/** What to write, according to the arguments of a mutation. */
export interface WriteItem {
  /** Values by which records are found. */
  readonly keys: Values;
  /** Objects by which records are found. */
  readonly filters: readonly Where[];
  /** Whether each of these items identifies one record, as in a list of `where`. */
  readonly isSingle: boolean;
  /** Conditions that the record has to match. */
  readonly conditions: readonly Where[];
  /** The values to write; `undefined` if the arguments have none. */
  readonly values: Values | undefined;
  /** The values of a new record, if those differ. */
  readonly created: Values | undefined;
  /** Changes of values, by the name of the operation. */
  readonly changes: readonly (readonly [operation: string, values: Values])[];
  /** What to do with an existing record. */
  readonly conflict: Where | "skip" | undefined;
}

/** How the arguments of a mutation are read. */
export interface ArgumentReader {
  /** Whether they have values to write. */
  readonly hasValues: boolean;
  /** Whether they are in an object, rather than flat. */
  readonly hasData: boolean;
  /** Whether they can identify the records to write. */
  readonly canFind: boolean;
  /** Names of flat values. */
  readonly flat: readonly string[];
  /**
   * The records to write; a list argument has several.
   *
   * @param given The arguments that the request has, without those that a default has set.
   */
  read(args: Values, given: Values): readonly WriteItem[];
}

/** The reason why a call can't be performed; completes "it ...". */
export class UnreadArgument extends Error {
  override readonly name = "UnreadArgument";
}

/** How deep inputs are searched for inputs that contain others. */
const MAX_DEPTH = 3;

/**
 * Plans how to read arguments, flat or in objects, by the role of each; an argument without a role
 * is rejected if a call has it.
 */
export function createArgumentReader(
  subject: WriteSubject,
  args: readonly WriteArgument[],
  depth = 0,
): ArgumentReader {
  const roles = rolesOf(subject, args);
  const named = (role: WriteRole) => args.filter(({ name }) => roles.get(name) === role);
  const data = named("data").find(({ name }) => name === subject.action) ?? named("data")[0];
  for (const other of named("data")) if (other !== data) roles.set(other.name, "unread");
  const inner = data && depth < MAX_DEPTH ? innerReader(subject, data, depth + 1) : undefined;
  const flat = named("value").map(({ name }) => name);
  return {
    flat,
    hasValues: flat.length > 0 || data !== undefined || named("change").length > 0,
    hasData: data !== undefined,
    canFind: named("key").length + named("filter").length > 0 ||
      (inner?.canFind ?? (data !== undefined && keyNames(subject, data).size > 0)),
    read(call, given) {
      const unread = named("unread").find(({ name }) => isGiven(given[name]));
      if (unread) throw new UnreadArgument(`takes "${unread.name}", which no rule reads`);
      const finds = findsOf(subject, given, named);
      const toContents = (value: unknown): readonly Partial<WriteItem>[] => {
        if (!isObject(value)) return [{}];
        return inner?.read(value, value) ??
          [plainContent(subject, data!, value, finds !== undefined)];
      };
      const content = data && call[data.name];
      const contents = (Array.isArray(content) ? content : [content]).flatMap(toContents);
      const own = ownContent(call, named);
      return paired(finds, contents).map((parts) => merged([own, ...parts]));
    },
  };
}

type Named = (role: WriteRole) => readonly WriteArgument[];

/**
 * Reads an input that contains others: `{ where, data }`, `{ slug, patch }`, or a single object.
 */
function innerReader(
  subject: WriteSubject,
  { type }: WriteArgument,
  depth: number,
): ArgumentReader | undefined {
  const fields = fieldsOf(type);
  const roles = rolesOf(subject, fields);
  const [data, ...others] = fields.filter(({ name }) => roles.get(name) === "data");
  const isHolder = [...roles.values()].some((role) => role === "filter" || role === "create");
  const isAlone = fields.filter(({ name }) => roles.get(name) !== "ignored").length === 1;
  const isWrapper = data !== undefined && others.length === 0 &&
    (isAlone || !isListType(getNullableType(data.type))) &&
    fields.every(({ name }) => name === data.name || BESIDE.has(roles.get(name)!));
  return subject.action !== "create" && isHolder || isWrapper
    ? createArgumentReader(subject, fields, depth)
    : undefined;
}

/** What an input may contain in addition to the object with its values. */
const BESIDE: ReadonlySet<WriteRole> = new Set(["ignored", "key", "condition", "conflict"]);

/** Names of the values in an input with which the record is found. */
function keyNames(subject: WriteSubject, { type }: WriteArgument): ReadonlySet<string> {
  const leaves = fieldsOf(type).filter((field) => !isObjectInput(field));
  return keysOf(subject, leaves, { hasData: false, hasFilter: false });
}

/** What the arguments of a call find; `undefined` if it has none of these arguments. */
function findsOf(
  subject: WriteSubject,
  call: Values,
  named: Named,
): Partial<WriteItem>[] | undefined {
  const keys = named("key").filter(({ name }) => isGiven(call[name]))
    .map(({ name }) => [keyName(subject, name), call[name]]);
  const filters = named("filter").filter(({ name }) => isGiven(call[name]));
  if (keys.length + filters.length === 0) return undefined;
  const start: Partial<WriteItem>[] = [{ keys: Object.fromEntries(keys) }];
  return filters.reduce((items, { name, type }) => {
    const isSingle = Array.isArray(call[name]);
    const wheres = toList(call[name]).filter(isObject)
      .map((where): Partial<WriteItem> => ({ filters: [{ where, type }], isSingle }));
    return items.flatMap((item) => wheres.map((where) => merged([item, where])));
  }, start);
}

function keyName(subject: WriteSubject, name: string): string {
  return isOwnId(subject, name) && name !== subject.model.key?.name ? "id" : name;
}

/** The arguments of a call except those that find records, and the object with values. */
function ownContent(call: Values, named: Named): Partial<WriteItem> {
  const givenTo = (role: WriteRole) => named(role).filter(({ name }) => isGiven(call[name]));
  const flat = named("value").filter(({ name }) => call[name] !== undefined)
    .map(({ name }) => [name, call[name]]);
  const [created] = givenTo("create").map(({ name }) => call[name]).filter(isObject);
  const toWhere = ({ name, type }: WriteArgument): Where[] => {
    const where = call[name];
    return isObject(where) ? [{ where, type }] : [];
  };
  const skips = givenTo("skip").some(({ name }) => call[name] === true);
  return {
    values: flat.length > 0 ? Object.fromEntries(flat) : undefined,
    created,
    conditions: givenTo("condition").flatMap(toWhere),
    changes: givenTo("change").flatMap(({ name }) => {
      const values = call[name];
      return isObject(values) ? [[name, values] as const] : [];
    }),
    conflict: givenTo("conflict").flatMap(toWhere)[0] ?? (skips ? "skip" : undefined),
  };
}

/** The values of one record, without those by which it is found. */
function plainContent(
  subject: WriteSubject,
  data: WriteArgument,
  input: Values,
  isFound: boolean,
): Partial<WriteItem> {
  const { clientMutationId: _, ...values } = input;
  if (isFound) return { values };
  const names = [...keyNames(subject, data)].filter((name) => isGiven(values[name]));
  const keys = names.map((name) => [keyName(subject, name), values[name]]);
  const others = Object.entries(values).filter(([name]) => !names.includes(name));
  return { keys: Object.fromEntries(keys), values: Object.fromEntries(others) };
}

/** Pairs what a call finds with what it writes: one value for all, or as many of both. */
function paired(
  finds: readonly Partial<WriteItem>[] | undefined,
  contents: readonly Partial<WriteItem>[],
): Partial<WriteItem>[][] {
  const [only, ...others] = contents;
  if (finds === undefined) return contents.map((content) => [content]);
  if (only !== undefined && others.length === 0) return finds.map((find) => [find, only]);
  const each = finds.length === 1 ? oneByOne(finds[0]!) : finds;
  if (contents.length === 0) return [];
  if (each.length === contents.length) return each.map((find, index) => [find, contents[index]!]);
  throw new UnreadArgument(`finds ${each.length} and has values for ${contents.length}`);
}

/** What a list of ids finds, as one item per id, in their order. */
export function oneByOne<Item extends Partial<WriteItem>>(find: Item): Item[] {
  const list = Object.entries(find.keys ?? {}).find(([, value]) => Array.isArray(value));
  if (list === undefined) return [find];
  const [name, values] = list;
  return toList(values).map((value) => ({ ...find, keys: { ...find.keys, [name]: value } }));
}

function merged(parts: readonly Partial<WriteItem>[]): WriteItem {
  const all = (name: "keys" | "values"): Values | undefined => {
    const given = parts.flatMap((part) => part[name] ?? []);
    return given.length > 0 ? Object.assign({}, ...given) : undefined;
  };
  return {
    keys: all("keys") ?? {},
    values: all("values"),
    filters: parts.flatMap(({ filters = [] }) => filters),
    conditions: parts.flatMap(({ conditions = [] }) => conditions),
    changes: parts.flatMap(({ changes = [] }) => changes),
    isSingle: parts.some(({ isSingle }) => isSingle),
    created: parts.find(({ created }) => created !== undefined)?.created,
    conflict: parts.find(({ conflict }) => conflict !== undefined)?.conflict,
  };
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
