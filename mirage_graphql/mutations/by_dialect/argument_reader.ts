import { isGiven, isObject } from "../../shared/values.ts";
import { hasField } from "../../orm/models/model_map.ts";
import {
  NO_ITEM,
  UnreadArgument,
  type Values,
  type Where,
  type WriteItem,
} from "../write_intent.ts";
import { valuesIn } from "../mutation_input.ts";
import { isOwnId, type RoleReader, type WriteRole, type WriteSubject } from "./argument_roles.ts";
import { inputFieldsOf, type InputValue } from "../../schema/types.ts";

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

/** How deep inputs are searched for inputs that contain others. */
const MAX_DEPTH = 3;

/**
 * Plans how to read arguments, flat or in objects, by the role of each; an argument without a role
 * is rejected if a call has it.
 */
export function createArgumentReader(
  subject: WriteSubject,
  reader: RoleReader,
  args: readonly InputValue[],
  path: readonly string[] = [],
): ArgumentReader {
  const roles = reader.rolesOf(args, path);
  const named = (role: WriteRole) => args.filter(({ name }) => roles.get(name) === role);
  const data = named("data").find(({ name }) => name === subject.action) ?? named("data")[0];
  for (const other of named("data")) if (other !== data) roles.set(other.name, "unread");
  const byRole = new Map([...new Set(roles.values())].map((role) => [role, named(role)]));
  const isAllData = args.every(({ name }) => roles.get(name) === "data");
  const known: Named = (role) => byRole.get(role) ?? [];
  const dataPath = [...path, data?.name ?? ""];
  const inner = data && path.length < MAX_DEPTH && reader.isHolder(data, dataPath)
    ? createArgumentReader(subject, reader, inputFieldsOf(data.type), dataPath)
    : undefined;
  const keysInData = data === undefined ? NO_KEYS : reader.keysIn(data, dataPath);
  const flat = named("value").map(({ name }) => name);
  const isFinding = named("key").length + named("filter").length > 0;
  return {
    flat,
    hasValues: flat.length > 0 || named("change").length > 0 ||
      data !== undefined && (inner?.hasValues ?? hasMore(subject, data, keysInData)),
    hasData: data !== undefined,
    canFind: isFinding || (inner?.canFind ?? keysInData.size > 0),
    read(call, given) {
      for (const { name } of known("unread")) {
        if (isGiven(given[name])) throw new UnreadArgument(`takes "${name}", which no rule reads`);
      }
      const finds = isFinding ? findsOf(subject, given, known) : undefined;
      const toContents = (value: unknown): readonly Partial<WriteItem>[] => {
        if (!isObject(value)) return [{}];
        return inner?.read(value, value) ??
          [plainContent(subject, finds === undefined ? keysInData : NO_KEYS, value)];
      };
      const content = data && call[data.name];
      const contents = (Array.isArray(content) ? content : [content]).flatMap(toContents);
      const own = isAllData ? [] : [ownContent(call, known)];
      return paired(finds, contents).map((parts) => merged([...own, ...parts]));
    },
  };
}

/** Whether an object has more than what finds records: for those that exist, one of their fields. */
function hasMore(
  { graphQLSchema, model, action }: WriteSubject,
  { type }: InputValue,
  keyNames: ReadonlySet<string>,
): boolean {
  const names = inputFieldsOf(type).map(({ name }) => name);
  if (names.length === 0 || action === "create") return true;
  return names.some((name) => !keyNames.has(name) && hasField(graphQLSchema, model, name));
}

type Named = (role: WriteRole) => readonly InputValue[];

const NO_KEYS: ReadonlySet<string> = new Set();

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
  const toWhere = ({ name, type }: InputValue): Where[] => {
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
  keyNames: ReadonlySet<string>,
  input: Values,
): Partial<WriteItem> {
  const values = valuesIn(input);
  if (keyNames.size === 0) return { values };
  const names = [...keyNames].filter((name) => isGiven(values[name]));
  if (names.length === 0) return { values };
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
  const [only, ...others] = parts;
  if (others.length === 0) return { ...NO_ITEM, ...only };
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
    lists: parts.flatMap(({ lists = [] }) => lists),
  };
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
