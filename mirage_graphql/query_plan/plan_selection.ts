import {
  getArgumentValues,
  getNamedType,
  type GraphQLAbstractType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from "graphql";
import { isObject } from "../orm/mirage.ts";
import type { Orm } from "../orm/orm.ts";
import type { AutomaticParts } from "../resolvers/plannable_fields.ts";
import { type FieldCall, NeedsGraphQLJs } from "../resolvers/resolver_call.ts";
import { typeNameOf } from "../resolvers/source.ts";
import {
  type FieldNodes,
  NotPlanned,
  selectedFields,
  type SelectionContext,
} from "./collect_fields.ts";
import {
  type Answer,
  answerLeaf,
  answerList,
  answerNonNull,
  answerObject,
  type Args,
  type FieldPlan,
  type QueryRun,
} from "./complete_value.ts";
import { isRepeatableInput } from "./variables.ts";

/** What all plans of a schema are made from. */
export interface PlanParts {
  readonly orm: Orm;
  readonly automatic: AutomaticParts;
}

/** What one plan is made from. */
export interface PlanContext extends PlanParts, SelectionContext {
  /** How many fields it may still get: fragments within fragments make them more and more. */
  fieldsLeft: number;
}

/**
 * Plans the fields that are selected of objects of one type.
 *
 * @throws {NotPlanned} Where one of them isn't resolved automatically, or there are too many.
 */
export function planSelection(
  context: PlanContext,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): readonly FieldPlan[] {
  const fields = selectedFields(context, type, selectionSets);
  context.fieldsLeft -= fields.size;
  if (context.fieldsLeft < 0) throw new NotPlanned("too many fields");
  return Array.from(fields, ([responseName, nodes]) => ({
    responseName,
    answer: planField(context, type, nodes),
  }));
}

function planField(context: PlanContext, type: GraphQLObjectType, nodes: FieldNodes): Answer {
  const name = nodes[0].name.value;
  if (name === "__typename") return () => type.name;
  const field = type.getFields()[name];
  const automatic = field && context.automatic.fields.get(field);
  if (field === undefined || automatic === undefined) throw new NotPlanned(`${type.name}.${name}`);
  const answerRead = planValue(context, field.type, nodes);
  const { resolve } = automatic;
  if (resolve === undefined) return (parent, run) => answerRead(propertyOf(parent, name), run);
  const argsOf = planArguments(field, nodes);
  return (parent, run) =>
    answerRead(resolve(new PlannedCall(parent, argsOf(run), run.context)), run);
}

function propertyOf(parent: unknown, name: string): unknown {
  return isObject(parent) ? parent[name] : undefined;
}

const NO_ARGUMENTS: Args = Object.freeze({});

function planArguments(
  field: GraphQLField<unknown, unknown>,
  [node]: FieldNodes,
): (run: QueryRun) => Args {
  const isUsed = (argument: GraphQLArgument) =>
    hasDefault(argument) || node.arguments?.some(({ name }) => name.value === argument.name);
  const used = field.args.filter(isUsed);
  if (used.length === 0) return () => NO_ARGUMENTS;
  if (!used.every(({ type }) => isRepeatableInput(getNamedType(type)))) {
    throw new NotPlanned(`arguments of ${field.name}`);
  }
  const place = {};
  return ({ args, variables }) => {
    const known = args.get(place);
    if (known !== undefined) return known;
    const values = getArgumentValues(field, node, variables);
    args.set(place, values);
    return values;
  };
}

/** graphql 17 has a default of the schema language under `default`, graphql 16 under `defaultValue`. */
function hasDefault(
  argument: { readonly defaultValue?: unknown; readonly default?: unknown },
): boolean {
  return argument.defaultValue !== undefined || argument.default !== undefined;
}

function planValue(context: PlanContext, type: GraphQLOutputType, nodes: FieldNodes): Answer {
  if (isNonNullType(type)) return answerNonNull(planValue(context, type.ofType, nodes));
  if (isListType(type)) return answerList(planValue(context, type.ofType, nodes));
  if (isLeafType(type)) return answerLeaf(type);
  if (!context.automatic.types.has(type)) throw new NotPlanned(type.name);
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  if (!isObjectType(type)) return answerObject(planAbstract(context, type, selectionSets));
  const fields = planSelection(context, type, selectionSets);
  return answerObject(() => fields);
}

/** The fields of each type are planned when the first value of it is met. */
function planAbstract(
  context: PlanContext,
  type: GraphQLAbstractType,
  selectionSets: readonly SelectionSetNode[],
): (value: unknown) => readonly FieldPlan[] {
  const { orm, graphQLSchema, automatic } = context;
  const fieldsByName = new Map<string, readonly FieldPlan[]>();
  return (value) => {
    const name = typeNameOf(orm, value);
    if (name === undefined) throw new NeedsGraphQLJs();
    const known = fieldsByName.get(name);
    if (known !== undefined) return known;
    const member = graphQLSchema.getType(name);
    if (!isObjectType(member) || !graphQLSchema.isSubType(type, member)) throw new NeedsGraphQLJs();
    if (!automatic.types.has(member)) throw new NotPlanned(name);
    const fields = planSelection(context, member, selectionSets);
    fieldsByName.set(name, fields);
    return fields;
  };
}

/** The call of a resolver that asks for no more than the parent and the arguments. */
class PlannedCall implements FieldCall {
  readonly isPlanned = true;

  /** Takes what every resolver gets. */
  constructor(
    readonly source: unknown,
    readonly args: FieldCall["args"],
    readonly context: unknown,
  ) {}

  get info(): GraphQLResolveInfo {
    throw new NeedsGraphQLJs();
  }
}
