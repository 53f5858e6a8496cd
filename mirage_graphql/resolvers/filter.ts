import {
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  isInputObjectType,
  isLeafType,
} from "graphql";
import { isMirageModel, isObject } from "../orm/mirage.ts";
import { type MockModel, relationNamed } from "../orm/models/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import { connectionShape } from "../schema/type_shapes.ts";
import { createGivenArguments, type GivenArguments } from "./given_arguments.ts";
import type { ResolverCall } from "./resolver_call.ts";
import { foreignIds } from "./source.ts";

/** What an argument filters by; input objects such as `{ price: { min: 5 } }` match nothing. */
type FilterTarget = "attribute" | "relation" | "nothing";

/** What filters need to know about a field; created once per field. */
export interface FilterPlan {
  /** Type and field, for errors. */
  readonly field: string;
  readonly typeName: string;
  /** Arguments that are no filters, such as those of paging. */
  readonly ignored: ReadonlySet<string>;
  /** What each argument filters by, if it is known yet. */
  readonly targets: Map<string, FilterTarget>;
  readonly models: readonly MockModel[];
  readonly hasArguments: boolean;
  readonly given: GivenArguments;
}

const NOTHING_IGNORED: ReadonlySet<string> = new Set();

/** Determines what each argument of a field filters by. */
export function createFilterPlan(
  orm: Orm,
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
  const named = getNamedType(field.type);
  const typeName = (connectionShape(named)?.nodeType ?? named).name;
  const hasArguments = field.args.length > 0;
  return {
    field: `${parentType.name}.${field.name}`,
    typeName,
    ignored,
    targets,
    models,
    hasArguments,
    given: createGivenArguments(field),
  };
}

function hasAttribute(type: GraphQLObjectType, name: string): boolean {
  const field = type.getFields()[name];
  return field !== undefined && isLeafType(getNamedType(field.type));
}

/** Whether a value fits the arguments; `model` is that of the record, if it is one. */
export type Fits = (value: unknown, model: MockModel | undefined) => boolean;

/**
 * Creates the filter for a call's arguments: `undefined` if every value fits. An argument that is
 * `null` doesn't filter, nor does one that was not given and has a default in the schema.
 *
 * @throws {GraphQLError} If an argument matches no attribute.
 */
export function createFilter(orm: Orm, plan: FilterPlan, call: ResolverCall): Fits | undefined {
  if (!plan.hasArguments) return undefined;
  const conditions: Fits[] = [];
  for (const [name, wanted] of Object.entries(plan.given(call))) {
    if (wanted === null || wanted === undefined || plan.ignored.has(name)) continue;
    const condition = createCondition(orm, plan, name, wanted);
    if (condition !== undefined) conditions.push(condition);
  }
  if (conditions.length < 2) return conditions[0];
  return (value, model) => conditions.every((fits) => fits(value, model));
}

function createCondition(
  orm: Orm,
  plan: FilterPlan,
  name: string,
  wanted: unknown,
): Fits | undefined {
  const target = plan.targets.get(name) ?? attributeOfRecords(orm, plan, name);
  if (target === undefined || target === "nothing") {
    if (orm.conventions.unknownArguments === "ignore") return undefined;
    throw cannotFilter(plan, name, target);
  }
  const wantedTexts = Array.isArray(wanted) ? new Set(wanted.map(toText)) : undefined;
  const text = toText(wanted);
  const isWanted = (value: unknown): boolean => {
    if (value === null || value === undefined) return false;
    return wantedTexts === undefined ? toText(value) === text : wantedTexts.has(toText(value));
  };
  const read = target === "attribute" ? readAttribute : readIds;
  const [only] = plan.models.length === 1 ? plan.models : [];
  return (value, model = only) => {
    const found = read(orm, value, name, model);
    return Array.isArray(found) ? found.some(isWanted) : isWanted(found);
  };
}

/** An attribute that records have although the schema doesn't define it; the result is cached. */
function attributeOfRecords(orm: Orm, plan: FilterPlan, name: string): "attribute" | undefined {
  const isThere = plan.models.some((model) =>
    model.getters.has(name) ||
    orm.store.of(model).select().some((record) => record[name] !== undefined)
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

/** Reads the value that a condition compares. */
type Read = (orm: Orm, value: unknown, name: string, model: MockModel | undefined) => unknown;

const readAttribute: Read = (orm, value, name, model) => {
  if (!isObject(value)) return undefined;
  const isGetter = model?.getters.has(name) === true && !isMirageModel(value);
  return isGetter ? toMirageModel(orm, model, value)[name] : value[name];
};

/** The ids of a relation, named by itself or by its foreign key. */
const readIds: Read = (_orm, value, name, model) => {
  if (!isObject(value)) return [];
  const relation = model && relationNamed(model, name);
  const own = relation && (value[relation.foreignKey] ?? value[relation.name]);
  const key = own ?? value[name];
  const list = isObject(key) && Array.isArray(key.models) ? key.models : foreignIds(key);
  return list.map((id) => isObject(id) ? id.id : id);
};

/** The text to compare by: 1 equals "1"; dates and objects are compared as JSON. */
function toText(value: unknown): string {
  if (value instanceof Date) return value.toJSON();
  return isObject(value) ? JSON.stringify(value) : String(value);
}
