import {
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  isInputObjectType,
  isLeafType,
} from "graphql";
import { toText } from "../conventions/compare_values.ts";
import { createRulePredicate, type FilterContext } from "../conventions/filter.ts";
import { createFilterShape, filterRuleOf, type Rule } from "../conventions/filter_shape.ts";
import type { InputValue } from "../conventions/paging.ts";
import { createTarget, type Target } from "../conventions/targets.ts";
import { isObject } from "../orm/mirage.ts";
import { type MockModel, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { connectionShape } from "../schema/type_shapes.ts";
import { createGivenArguments, type GivenArguments } from "./given_arguments.ts";
import { createListArguments, fieldsOf, type ListArguments } from "./list_arguments.ts";
import { createMemberReader, type Item, readAttribute, readIds } from "./member_reader.ts";
import type { ResolverCall } from "./resolver_call.ts";

/** What an argument filters by; input objects such as `{ price: { min: 5 } }` match nothing. */
type FilterTarget = "attribute" | "relation" | "nothing";

/** What filters need to know about a field; created once per field. */
export interface FilterPlan {
  /** Type and field, for errors. */
  readonly field: string;
  readonly typeName: string;
  /** The records to choose among. */
  readonly target: Target;
  /** Arguments that are no filters, such as those of paging. */
  readonly list: ListArguments;
  /** What the arguments that conventions explain restrict, by their paths. */
  readonly rules: ReadonlyMap<string, Rule>;
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
  const recordsOf = createTarget(orm.graphQLSchema, types);
  const list = createListArguments(orm, { parentType, field, target: recordsOf, ignored });
  const named = getNamedType(field.type);
  const typeName = (connectionShape(named)?.nodeType ?? named).name;
  const hasArguments = field.args.length > 0;
  return {
    field: `${parentType.name}.${field.name}`,
    typeName,
    target: recordsOf,
    list,
    rules: createRules(orm, field, { list, target: recordsOf, targets }),
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

const readKeys = (_orm: Orm, item: Item, name: string): unknown => readIds(item, name);

/** The rules of the arguments that conventions explain, and that no attribute or relation has. */
function createRules(
  { conventions }: Orm,
  field: GraphQLField<unknown, unknown>,
  { list, target, targets }: Pick<FilterPlan, "list" | "target" | "targets">,
): FilterPlan["rules"] {
  const rules = new Map<string, Rule>();
  if (!conventions.filtering && !conventions.ids) return rules;
  const add = (path: readonly string[], input: InputValue) => {
    const rule = filterRuleOf(input, target);
    const isUsed = rule && (isIdRule(rule) ? conventions.ids : conventions.filtering);
    if (rule && isUsed) rules.set(path.join("."), rule);
  };
  for (const argument of field.args) {
    const { name } = argument;
    const group = list.groups.get(name);
    if (group !== undefined) {
      fieldsOf(argument).forEach((inner) => add([name, inner.name], inner));
    } else if (!list.ignored.has(name) && !isEquality(targets.get(name), argument)) {
      const shape = createFilterShape(argument.type, target);
      const own = filterRuleOf(argument, target);
      if (own === undefined && shape.isFilter && conventions.filtering) {
        rules.set(name, { kind: "logic", word: "and", shape });
      } else add([name], argument);
    }
  }
  return rules;
}

/** Whether an argument names records by their own id. */
function isIdRule(rule: Rule): boolean {
  return rule.kind === "value" && rule.member.name === "id" &&
    (rule.operator.comparison === "eq" || rule.operator.comparison === "in");
}

/** Whether values are compared by equality, without a convention. */
function isEquality(target: FilterTarget | undefined, { type }: InputValue): boolean {
  if (target === "relation") return getNamedType(type).name !== "String";
  return target === "attribute";
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
    if (wanted === null || wanted === undefined || plan.list.ignored.has(name)) continue;
    const group = plan.list.groups.get(name);
    if (group === undefined) conditions.push(...createConditions(orm, plan, [name], wanted));
    else if (isObject(wanted)) {
      for (const [inner, value] of Object.entries(wanted)) {
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
  wanted: unknown,
): Fits[] {
  const rule = plan.rules.get(path.join("."));
  const [name = ""] = path;
  const condition = rule === undefined
    ? createCondition(orm, plan, name, wanted)
    : createRuleCondition(orm, plan, { name, rule, wanted });
  return condition === undefined ? [] : [condition];
}

function createRuleCondition(
  orm: Orm,
  plan: FilterPlan,
  { name, rule, wanted }: { readonly name: string; readonly rule: Rule; readonly wanted: unknown },
): Fits {
  const context: FilterContext<Item> = {
    reader: createMemberReader(orm),
    onUnknown(key) {
      if (orm.conventions.unknownArguments === "error") throw cannotFilterBy(plan, name, key);
    },
  };
  const fits = createRulePredicate(context, { rule, wanted, target: plan.target });
  const [only] = plan.models.length === 1 ? plan.models : [];
  return (value, model = only) => fits({ value, model }) === true;
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
  const read = target === "attribute" ? readAttribute : readKeys;
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
    orm.store.of(model).select().some((record) => record[name] !== undefined)
  );
  if (!isThere) return undefined;
  plan.targets.set(name, "attribute");
  return "attribute";
}

function cannotFilterBy({ field, typeName }: FilterPlan, name: string, key: string): GraphQLError {
  return new GraphQLError(
    `Cannot filter ${field} by "${key}" of the argument "${name}": ${typeName} has no such ` +
      `attribute, and no operator has that name. Write a resolver for ${field} that handles "${name}"`,
  );
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
