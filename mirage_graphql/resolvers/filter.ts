import {
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  isInputObjectType,
  isLeafType,
} from "graphql";
import { toText } from "../conventions/to_text.ts";
import { isObject } from "../orm/mirage.ts";
import { type MockModel, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { idFormatOf } from "../orm/record_ids.ts";
import { valueOf } from "../values.ts";
import type { ListArguments, ListField, MockOrm } from "./convention_rules.ts";
import { createGivenArguments, type GivenArguments } from "./given_arguments.ts";
import { type Fits, readAttribute, readIdForms, readIds } from "./list_item.ts";
import type { ResolverCall } from "./resolver_call.ts";

/** What an argument filters by; input objects such as `{ price: { min: 5 } }` match nothing. */
type FilterTarget = "attribute" | "relation" | "nothing";

/** What filters need to know about a field; created once per field. */
export interface FilterPlan {
  /** Type and field, for errors. */
  readonly field: string;
  readonly typeName: string;
  /** The meaning of the arguments that conventions define. */
  readonly list: ListArguments;
  /** What each argument filters by, once that is known. */
  readonly targets: Map<string, FilterTarget>;
  readonly models: readonly MockModel[];
  readonly hasArguments: boolean;
  readonly given: GivenArguments;
  /** The filters of planned calls, which have the same arguments for all parents. */
  readonly compiled: WeakMap<object, Fits | typeof ALL_FIT>;
}

/** Stands for a filter that every value passes. */
const ALL_FIT: unique symbol = Symbol("all fit");

const NOTHING_IGNORED: ReadonlySet<string> = new Set();

/** Determines what each argument of a field filters by. */
export function createFilterPlan(
  orm: MockOrm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  types: readonly GraphQLObjectType[],
  ignored: ReadonlySet<string> = NOTHING_IGNORED,
): FilterPlan {
  const models = types.flatMap(({ name }) => orm.models.ofType(name) ?? []);
  const targets = new Map<string, FilterTarget>();
  for (const { name, type } of field.args) {
    const target = models.some((model) => relationNamed(model, name))
      ? "relation"
      : types.some((type) => hasAttribute(type, name))
      ? "attribute"
      : undefined;
    if (target) targets.set(name, isInputObjectType(getNamedType(type)) ? "nothing" : target);
  }
  const isEquality: ListField["isEquality"] = ({ name, type }) =>
    targets.get(name) === "relation"
      ? getNamedType(type).name !== "String"
      : targets.get(name) === "attribute";
  const listField = { parentType, field, types, models, ignored, isEquality };
  const named = getNamedType(field.type);
  return {
    field: `${parentType.name}.${field.name}`,
    typeName: (orm.shapeOf(named).nodeType ?? named).name,
    list: createListArguments(orm, listField),
    targets,
    models,
    hasArguments: field.args.length > 0,
    given: createGivenArguments(field),
    compiled: new WeakMap(),
  };
}

/** Without conventions every argument filters by equality, except those that are ignored. */
function createListArguments(orm: MockOrm, field: ListField): ListArguments {
  if (field.field.args.length > 0 && orm.engine !== undefined) {
    return orm.engine.createListArguments(orm, field);
  }
  return {
    ignored: field.ignored,
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

/**
 * Creates the filter for a call's arguments: `undefined` if every value matches. An argument that
 * is `null` doesn't filter, nor does one that was not given and has a default in the schema.
 *
 * @throws {GraphQLError} If an argument matches no attribute.
 */
export function createFilter(orm: Orm, plan: FilterPlan, call: ResolverCall): Fits | undefined {
  if (!plan.hasArguments) return undefined;
  // user-defined code may change its arguments between two calls, so that only a plan's are kept
  const known = call.isPlanned ? plan.compiled.get(call.args) : undefined;
  if (known !== undefined) return known === ALL_FIT ? undefined : known;
  const fits = compileFilter(orm, plan, call);
  if (call.isPlanned) plan.compiled.set(call.args, fits ?? ALL_FIT);
  return fits;
}

function compileFilter(orm: Orm, plan: FilterPlan, call: ResolverCall): Fits | undefined {
  const conditions: Fits[] = [];
  for (const [name, expected] of Object.entries(plan.given(call))) {
    if (expected === null || expected === undefined || plan.list.ignored.has(name)) continue;
    const group = plan.list.groups.get(name);
    if (group === undefined) conditions.push(...createConditions(orm, plan, [name], expected));
    else if (isObject(expected)) {
      for (const [inner, value] of Object.entries(expected)) {
        if (value === null || value === undefined || group.has(inner)) continue;
        conditions.push(...createConditions(orm, plan, [name, inner], value));
      }
    }
  }
  if (conditions.length < 2) return conditions[0];
  return (value, model) => conditions.every((fits) => fits(value, model));
}

/** The condition of one argument, or of one in a group. */
function createConditions(
  orm: Orm,
  plan: FilterPlan,
  path: readonly string[],
  expected: unknown,
): Fits[] {
  const createFits = plan.list.filters.get(path.join("."));
  const [name = ""] = path;
  const condition = createFits === undefined
    ? createCondition(orm, plan, name, expected)
    : createFits(expected);
  return condition === undefined ? [] : [condition];
}

function createCondition(
  orm: Orm,
  plan: FilterPlan,
  name: string,
  expected: unknown,
): Fits | undefined {
  const target = plan.targets.get(name) ?? attributeOfRecords(orm, plan, name);
  if (target === undefined || target === "nothing") {
    if (orm.conventions.unknownArguments === "ignore") return undefined;
    throw cannotFilter(plan, name, target);
  }
  const expectedTexts = Array.isArray(expected) ? new Set(expected.map(toText)) : undefined;
  const text = toText(expected);
  const isWanted = (value: unknown): boolean => {
    if (value === null || value === undefined) return false;
    return expectedTexts === undefined ? toText(value) === text : expectedTexts.has(toText(value));
  };
  const isOfIds = idFormatOf(orm) !== "local" && (name === "id" || target === "relation");
  const read = isOfIds ? readIdForms : target === "attribute" ? readAttribute : readIds;
  const [only] = plan.models.length === 1 ? plan.models : [];
  return (value, model = only) => {
    const found = read(orm, { value, model }, name);
    return Array.isArray(found) ? found.some(isWanted) : isWanted(found);
  };
}

/** An attribute that records have although the schema doesn't define it; the result is cached. */
function attributeOfRecords(orm: Orm, plan: FilterPlan, name: string): "attribute" | undefined {
  const isThere = plan.models.some((model) =>
    model.getters.has(name) ||
    orm.store.of(model).select().some((record) => valueOf(record, name) !== undefined)
  );
  if (!isThere) return undefined;
  plan.targets.set(name, "attribute");
  return "attribute";
}

function cannotFilter(
  { field, typeName }: FilterPlan,
  name: string,
  target: "nothing" | undefined,
): GraphQLError {
  const state = target === undefined
    ? `${typeName} has no such attribute`
    : "it is an input object, and values are compared by equality";
  return new GraphQLError(
    `Cannot filter ${field} by the argument "${name}": ${state}. ` +
      `Write a resolver for ${field} that handles "${name}"; it may delete it from its ` +
      "arguments and call mockGraphQLFieldResolver for the rest",
  );
}
