import {
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from "graphql";
import { isObject } from "../../orm/mirage.ts";
import { type MockModel, relationNamed } from "../../orm/models/model_map.ts";
import { nameKey } from "../../orm/models/model_names.ts";

/** One record to write, as the arguments of a mutation have it. */
export interface WriteItem {
  /** What the record is found by: attributes and their values; none for a creation. */
  readonly where: Values | undefined;
  /** Its values; `undefined` if the arguments have none. */
  readonly values: Values | undefined;
  /** Numbers to add to attributes, as Hasura's `_inc` has them. */
  readonly increments: Values | undefined;
}

/** Values by name. */
export type Values = Readonly<Record<string, unknown>>;

/** An argument of a mutation, or a field of one of its inputs. */
export interface WriteArgument {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** What arguments are about. */
export interface WriteSubject {
  readonly graphQLSchema: GraphQLSchema;
  readonly model: MockModel;
  /** Whether records are found by the arguments, rather than created. */
  readonly isFound: boolean;
}

/** How the arguments of a mutation are read. */
export interface ArgumentReader {
  /** Whether they have values to write. */
  readonly hasValues: boolean;
  /** Whether they can say which records to write. */
  readonly hasWhere: boolean;
  /** The records to write; a list argument has several. */
  read(args: Values): readonly WriteItem[];
}

/** An argument that no rule reads, and that the call has; completes "it ...". */
export class UnreadArgument extends Error {
  override readonly name = "UnreadArgument";
}

type Role = "ignored" | "where" | "id" | "data" | "increment" | "value" | "unread";

/** How deep inputs are searched for those that hold others. */
const MAX_DEPTH = 3;

/**
 * Plans how to read arguments, flat or in objects: `where` and `pk_columns` find records, an object
 * that is no value of the type holds values, as `data`, `input` and `_set` do, and ids are those of
 * the records to find. All else is a value.
 */
export function createArgumentReader(
  subject: WriteSubject,
  args: readonly WriteArgument[],
  depth = 0,
): ArgumentReader {
  const roles = rolesOf(subject, args);
  const named = (role: Role) => args.filter(({ name }) => roles.get(name) === role);
  const [data, ...moreData] = named("data");
  for (const { name } of moreData) roles.set(name, "unread");
  const inner = data && innerReader(subject, data, depth);
  const values = named("value");
  return {
    hasValues: values.length > 0 || data !== undefined,
    hasWhere: named("where").length + named("id").length > 0 || inner?.hasWhere === true ||
      (inner === undefined && data !== undefined && hasOwnId(subject, data)),
    read(call) {
      const unread = named("unread").find(({ name }) => isGiven(call[name]));
      if (unread) throw new UnreadArgument(`takes "${unread.name}", which no rule reads`);
      const found = findings(subject, call, [named("where"), named("id")]);
      const flat = pick(call, values);
      const [increment] = named("increment").map(({ name }) => call[name]);
      const increments = isObject(increment) ? increment : undefined;
      if (data === undefined) {
        const own = values.length > 0 ? flat : undefined;
        const isSearch = [...named("where"), ...named("id")].some(({ name }) =>
          isGiven(call[name])
        );
        const wheres = isSearch ? found : [undefined];
        return wheres.map((where) => ({ where, values: own, increments }));
      }
      const items = toList(call[data.name]).flatMap((value) =>
        inner !== undefined && isObject(value) ? inner.read(value) : toItem(subject, value)
      );
      return items.map((item, index) => ({
        where: found[index] ?? found[0] ?? item.where,
        values: { ...flat, ...item.values },
        increments: increments ?? item.increments,
      }));
    },
  };
}

/** Reads an input that holds others: `{ where, data }`, or a single object. */
function innerReader(
  subject: WriteSubject,
  { type }: WriteArgument,
  depth: number,
): ArgumentReader | undefined {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || depth === MAX_DEPTH) return undefined;
  const fields: WriteArgument[] = Object.values(named.getFields());
  const roles = [...rolesOf(subject, fields).values()];
  const own = roles.filter((role) => role !== "ignored" && role !== "id");
  const isHolder = roles.includes("where") || own.length === 1 && own[0] === "data";
  return isHolder ? createArgumentReader(subject, fields, depth + 1) : undefined;
}

function rolesOf(subject: WriteSubject, args: readonly WriteArgument[]): Map<string, Role> {
  const hasData = args.some((argument) => roleOf(subject, argument, false) === "data");
  return new Map(args.map((argument) => [argument.name, roleOf(subject, argument, hasData)]));
}

function roleOf(subject: WriteSubject, { name, type }: WriteArgument, hasData: boolean): Role {
  if (name === "clientMutationId") return "ignored";
  const named = getNamedType(type);
  const isOwn = isOfType(subject, name);
  if (isInputObjectType(named)) {
    if (/^(where|pk_?columns|key|selector)$/i.test(name)) return "where";
    if (/^_inc$/.test(name)) return "increment";
    if (isOwn) return "value";
    return /conflict|condition|^_(?!set$)/i.test(name) ? "unread" : "data";
  }
  if (subject.isFound && isOwnId(subject, name)) return "id";
  return isOwn || !hasData ? "value" : "unread";
}

/** Whether a name is that of the record's own id, or of ids: `id`, `postId`, `post_ids`. */
export function isOwnId({ model }: Pick<WriteSubject, "model">, name: string): boolean {
  const key = nameKey(name).replace(/ids$/, "id");
  return key === "id" || name === model.key?.name || key === `${nameKey(model.typeName)}id` ||
    key === `${nameKey(model.modelName)}id`;
}

function isOfType({ model, graphQLSchema }: WriteSubject, name: string): boolean {
  if (name === "id" || relationNamed(model, name) !== undefined) return true;
  const type = graphQLSchema.getType(model.typeName);
  return isObjectType(type) && type.getFields()[name] !== undefined;
}

function hasOwnId(subject: WriteSubject, { type }: WriteArgument): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) &&
    Object.values(named.getFields()).some((field) =>
      isLeafType(getNullableType(field.type)) && isOwnId(subject, field.name)
    );
}

/** What the `where` and id arguments of a call find: several for a list of them. */
function findings(
  subject: WriteSubject,
  call: Values,
  [wheres, ids]: readonly [readonly WriteArgument[], readonly WriteArgument[]],
): Values[] {
  const byId = ids.flatMap(({ name, type }) => {
    const value = call[name];
    if (!isGiven(value)) return [];
    const ids = isListType(getNullableType(type)) ? toList(value) : [value];
    return ids.map((id) => ({ [attributeOf(subject, name)]: id }));
  });
  const byWhere = wheres.flatMap(({ name }) =>
    toList(call[name]).filter(isObject).map((where) => withPlainId(subject, where))
  );
  return [...byId, ...byWhere];
}

/** A `where` that has the record's id under its own name. */
function withPlainId(subject: WriteSubject, where: Values): Values {
  return Object.fromEntries(
    Object.entries(where).filter(([, value]) => isGiven(value))
      .map(([name, value]) => [isOwnId(subject, name) ? attributeOf(subject, name) : name, value]),
  );
}

/** The attribute that an argument with the record's own id is about. */
function attributeOf({ model }: WriteSubject, name: string): string {
  return name === model.key?.name ? name : "id";
}

/** The values of one record, without the id that it is found by. */
function toItem(subject: WriteSubject, input: unknown): WriteItem {
  if (!isObject(input)) return { where: undefined, values: undefined, increments: undefined };
  const { clientMutationId: _, ...values } = input;
  const key = Object.keys(values).find((name) => isOwnId(subject, name) && isGiven(values[name]));
  if (!subject.isFound || key === undefined) {
    return { where: undefined, values, increments: undefined };
  }
  const { [key]: id, ...others } = values;
  const where = { [attributeOf(subject, key)]: id };
  return { where, values: others, increments: undefined };
}

function pick(call: Values, args: readonly WriteArgument[]): Values {
  return Object.fromEntries(
    args.filter(({ name }) => call[name] !== undefined).map(({ name }) => [name, call[name]]),
  );
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
