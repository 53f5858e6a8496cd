import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  isInputObjectType,
  isLeafType,
} from "graphql";
import { type MockModel, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import type { PageArgs } from "../relay/page.ts";
import { UnresolvedField } from "../shared/unresolved_field.ts";
import { isGiven, isObject, valueOf } from "../shared/values.ts";
import { createGivenArguments, type GivenArguments, type ResolverCall } from "./call.ts";
import { type ArgumentFilter, equality, type Fits, type Item } from "./item.ts";

type Field = GraphQLField<unknown, unknown>;

/** Sorts items as requested; equal ones keep their order. */
export type Sort = <Value>(values: readonly Value[], toItem: (value: Value) => Item) => Value[];

/** What the arguments of a list mean, except those that filter by equality. */
export interface ListArguments {
  /** The arguments that don't filter. */
  readonly ignored: ReadonlySet<string>;
  /** The arguments about the request as a whole, which filter only by an attribute of their name. */
  readonly context: ReadonlySet<string>;
  /** Input objects whose fields are arguments, such as `options: { limit, sort }`. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  /** The requested page; `undefined` if the field has no such arguments. */
  readonly page: ((call: ResolverCall) => PageArgs | undefined) | undefined;
  /** The requested order; `undefined` if the field has no such arguments. */
  readonly sort: ((call: ResolverCall) => Sort | undefined) | undefined;
  /** The records of the ids that a request lists, in their order; `undefined` for other fields. */
  readonly byIds: ((call: ResolverCall) => readonly unknown[]) | undefined;
  /** Notes whether the arguments have left records of the table. */
  readonly notes?: MatchNotes | undefined;
  /** Creates the filter of an argument's value, by the path of the argument. */
  readonly filters: ReadonlyMap<string, ArgumentFilter>;
}

/** Whether arguments have left records in any request. */
export interface MatchNotes {
  /** Whether each argument has, so that there is nothing more to note. */
  readonly isDone: boolean;
  note(call: ResolverCall, hasRecords: boolean): void;
}

/** A field that returns records, and its arguments that never filter. */
export interface ListField {
  readonly parentType: GraphQLObjectType;
  readonly field: Field;
  readonly types: readonly GraphQLObjectType[];
  readonly models: readonly MockModel[];
  readonly ignored: ReadonlySet<string>;
  /** Whether an argument filters by equality, without a convention. */
  readonly isEquality: (argument: Field["args"][number]) => boolean;
}

/** The records of a handler, and the code that interprets the arguments of lists by dialects. */
export interface ListOrm extends Orm {
  readonly engine?: {
    /** Determines which arguments of a field page, sort and filter. */
    createListArguments(orm: Orm, field: ListField): ListArguments;
  } | undefined;
}

/** What the arguments of a field mean; created once per field. */
export interface FilterPlan {
  /** Type and field, for errors. */
  readonly field: string;
  readonly models: readonly MockModel[];
  /** The meaning of the arguments that page and sort. */
  readonly list: ListArguments;
  readonly given: GivenArguments;
  /**
   * Creates the filter for a call's arguments: `undefined` if every value matches. An argument that
   * is `null` doesn't filter, nor does one that was not given and has a default in the schema. A
   * field without arguments doesn't have it.
   *
   * @throws {GraphQLError} If an argument matches no attribute.
   */
  readonly fits: ((call: ResolverCall) => Fits | undefined) | undefined;
}

/** A field whose arguments filter. */
interface FilteredField extends Omit<FilterPlan, "fits"> {
  readonly typeName: string;
  /** The filters of the arguments by their paths, once they are known. */
  readonly filters: Map<string, ArgumentFilter>;
}

/** Stands for a filter that every value passes. */
const ALL_FIT: unique symbol = Symbol("all fit");

const NO_NAMES: ReadonlySet<string> = new Set();

/** Determines what each argument of a field filters by. */
export function createFilterPlan(
  orm: ListOrm,
  parentType: GraphQLObjectType,
  field: Field,
  types: readonly GraphQLObjectType[],
  ignoredAlways: ReadonlySet<string> = NO_NAMES,
): FilterPlan {
  const models = types.flatMap(({ name }) => orm.models.ofType(name) ?? []);
  const named = getNamedType(field.type);
  const subject = {
    field: `${parentType.name}.${field.name}`,
    typeName: (orm.shapeOf(named).nodeType ?? named).name,
    models,
  };
  const filters = new Map<string, ArgumentFilter>();
  const equal = new Set<string>();
  const { ignoreArguments } = orm.conventions;
  const ignored = ignoreArguments.length === 0
    ? ignoredAlways
    : new Set([...ignoredAlways, ...ignoreArguments]);
  for (const { name, type } of field.args) {
    const isRelation = models.some((model) => relationNamed(model, name));
    if (!isRelation && !types.some((one) => hasAttribute(one, name))) continue;
    const isInput = isInputObjectType(getNamedType(type));
    filters.set(
      name,
      isInput ? refusal(orm, subject, { name, isInput }) : equality(orm, models, name),
    );
    // a text may be the name of a related record
    const isName = isRelation && getNamedType(type).name === "String";
    if (!isInput && !isName) equal.add(name);
  }
  const isEquality = ({ name }: GraphQLArgument) => equal.has(name);
  const list = createListArguments(orm, { parentType, field, types, models, ignored, isEquality });
  for (const [path, filter] of list.filters) filters.set(path, filter);
  const filtered = { ...subject, list, filters, given: createGivenArguments(field) };
  return { ...filtered, fits: field.args.length > 0 ? createFits(orm, filtered) : undefined };
}

/** Without conventions every argument filters by equality, except those that are ignored. */
function createListArguments(orm: ListOrm, field: ListField): ListArguments {
  if (field.field.args.length > 0 && orm.engine !== undefined) {
    return orm.engine.createListArguments(orm, field);
  }
  return {
    ignored: field.ignored,
    context: NO_NAMES,
    groups: new Map(),
    page: undefined,
    sort: undefined,
    byIds: undefined,
    filters: new Map(),
  };
}

function hasAttribute(type: GraphQLObjectType, name: string): boolean {
  const field = type.getFields()[name];
  return field !== undefined && isLeafType(getNamedType(field.type));
}

/** User-defined code may change its arguments between two calls, so that only a plan's are kept. */
function createFits(orm: Orm, filtered: FilteredField): NonNullable<FilterPlan["fits"]> {
  const compiled = new WeakMap<object, Fits | typeof ALL_FIT>();
  return (call) => {
    if (!call.isPlanned) return compileFilter(orm, filtered, call);
    const fits = compiled.get(call.args) ?? compileFilter(orm, filtered, call);
    compiled.set(call.args, fits ?? ALL_FIT);
    return fits === ALL_FIT ? undefined : fits;
  };
}

function compileFilter(orm: Orm, plan: FilteredField, call: ResolverCall): Fits | undefined {
  const conditions: Fits[] = [];
  const add = (path: readonly string[], expected: unknown) => {
    const [name = "", inner] = path;
    const filter = plan.filters.get(path.join(".")) ??
      (inner === undefined ? filterNamed(orm, plan, name) : refusal(orm, plan, { name, inner }));
    const fits = filter(expected);
    if (fits !== undefined) conditions.push(fits);
  };
  for (const [name, expected] of Object.entries(plan.given(call))) {
    if (!isGiven(expected) || plan.list.ignored.has(name)) continue;
    const group = plan.list.groups.get(name);
    if (group === undefined) add([name], expected);
    else if (isObject(expected)) {
      for (const [inner, value] of Object.entries(expected)) {
        if (isGiven(value) && !group.has(inner)) add([name, inner], value);
      }
    }
  }
  if (conditions.length < 2) return conditions[0];
  return (value, model) => conditions.every((fits) => fits(value, model));
}

/** Compares an attribute that records have although the schema doesn't define it. */
function filterNamed(orm: Orm, plan: FilteredField, name: string): ArgumentFilter {
  const known = plan.filters.get(name);
  if (known !== undefined) return known;
  const { models } = plan;
  const isThere = models.some((model) =>
    model.getters.has(name) ||
    orm.store.of(model).select().some((record) => valueOf(record, name) !== undefined)
  );
  if (!isThere) return plan.list.context.has(name) ? () => undefined : refusal(orm, plan, { name });
  const filter = equality(orm, models, name);
  plan.filters.set(name, filter);
  return filter;
}

/** An argument that filters by nothing. */
interface Refused {
  readonly name: string;
  /** The field of the argument that does. */
  readonly inner?: string;
  /** Whether it names an attribute, and is an input object. */
  readonly isInput?: boolean;
}

/** Rejects an argument, or ignores it. */
function refusal(
  orm: Orm,
  { field, typeName }: Pick<FilteredField, "field" | "typeName">,
  { name, inner, isInput = false }: Refused,
): ArgumentFilter {
  return () => {
    if (orm.conventions.unknownArguments === "ignore") return undefined;
    const label = inner === undefined ? "" : `"${inner}" of `;
    const state = isInput
      ? "it is an input object, and values are compared by equality"
      : `${typeName} has no such attribute`;
    throw new UnresolvedField(
      `Cannot filter ${field} by ${label}the argument "${name}": ${state}. ` +
        `Write a resolver for ${field} that handles "${name}"; it may delete it from its ` +
        "arguments and call mockGraphQLFieldResolver for the rest",
      field,
    );
  };
}
