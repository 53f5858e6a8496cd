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
import { hasDefault, hasValue, without } from "../resolvers/given_arguments.ts";
import type { PlannableFields } from "../resolvers/plannable_fields.ts";
import { NeedsGraphQLJs, type ResolverCall } from "../resolvers/resolver_call.ts";
import { typeNameOf } from "../resolvers/source.ts";
import {
  collectFields,
  type FieldNodes,
  NotPlanned,
  type SelectionContext,
} from "./collect_fields.ts";
import {
  type ArgumentValues,
  completeLeafValue,
  completeListValue,
  completeNonNullValue,
  completeObjectValue,
  type CompleteValue,
  type ExecutionContext,
  type FieldPlan,
  type PlannedArguments,
} from "./complete_value.ts";
import { isPlannableInput } from "./variables.ts";

/** What all plans of a schema share. */
export interface PlanParts {
  readonly orm: Orm;
  readonly plannable: PlannableFields;
}

/** What one plan is created with. */
export interface PlanContext extends PlanParts, SelectionContext {
  /** How many more fields it may have, because nested fragments can multiply them without end. */
  fieldsLeft: number;
}

/**
 * Plans the fields that are selected of objects of one type.
 *
 * @throws {NotPlanned} If one of them is not resolved automatically, or if there are too many.
 */
export function planSelection(
  context: PlanContext,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): readonly FieldPlan[] {
  const fields = collectFields(context, type, selectionSets);
  context.fieldsLeft -= fields.size;
  if (context.fieldsLeft < 0) throw new NotPlanned("too many fields");
  return Array.from(fields, ([responseName, nodes]) => ({
    responseName,
    execute: planField(context, type, nodes),
  }));
}

function planField(
  context: PlanContext,
  type: GraphQLObjectType,
  nodes: FieldNodes,
): FieldPlan["execute"] {
  const name = nodes[0].name.value;
  if (name === "__typename") return () => type.name;
  const field = type.getFields()[name];
  const plannable = field && context.plannable.fields.get(field);
  if (field === undefined || plannable === undefined) throw new NotPlanned(`${type.name}.${name}`);
  const complete = planValue(context, field.type, nodes);
  const { resolve } = plannable;
  if (resolve === undefined) {
    return (source, exeContext) => complete(propertyOf(source, name), exeContext);
  }
  const argsOf = planArguments(field, nodes);
  return (source, exeContext) => {
    const call = new PlannedCall(source, argsOf(exeContext), exeContext.contextValue);
    return complete(resolve(call), exeContext);
  };
}

function propertyOf(source: unknown, name: string): unknown {
  return isObject(source) ? source[name] : undefined;
}

const NO_ARGUMENTS: PlannedArguments = Object.freeze({ args: {}, givenArgs: {} });

function planArguments(
  field: GraphQLField<unknown, unknown>,
  [node]: FieldNodes,
): (exeContext: ExecutionContext) => PlannedArguments {
  const isUsed = (argument: GraphQLArgument) =>
    hasDefault(argument) || node.arguments?.some(({ name }) => name.value === argument.name);
  const used = field.args.filter(isUsed);
  if (used.length === 0) return () => NO_ARGUMENTS;
  if (!used.every(({ type }) => isPlannableInput(getNamedType(type)))) {
    throw new NotPlanned(`arguments of ${field.name}`);
  }
  const defaults = used.filter(hasDefault).map((argument) => ({
    argument,
    value: node.arguments?.find(({ name }) => name.value === argument.name)?.value,
  }));
  const key = {};
  return ({ args: known, variables }) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const args = getArgumentValues(field, node, variables);
    const unset = defaults.filter(({ value }) => !value || !hasValue(value, variables));
    const planned = { args, givenArgs: without(args, unset.map(({ argument }) => argument)) };
    known.set(key, planned);
    return planned;
  };
}

function planValue(
  context: PlanContext,
  type: GraphQLOutputType,
  nodes: FieldNodes,
): CompleteValue {
  if (isNonNullType(type)) return completeNonNullValue(planValue(context, type.ofType, nodes));
  if (isListType(type)) return completeListValue(planValue(context, type.ofType, nodes));
  if (isLeafType(type)) return completeLeafValue(type);
  if (!context.plannable.types.has(type)) throw new NotPlanned(type.name);
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  if (!isObjectType(type)) return completeObjectValue(planAbstract(context, type, selectionSets));
  const fields = planSelection(context, type, selectionSets);
  return completeObjectValue(() => fields);
}

/** The fields of each type are planned when the first value of that type is completed. */
function planAbstract(
  context: PlanContext,
  type: GraphQLAbstractType,
  selectionSets: readonly SelectionSetNode[],
): (value: unknown) => readonly FieldPlan[] {
  const { orm, graphQLSchema, plannable } = context;
  const fieldsByName = new Map<string, readonly FieldPlan[]>();
  return (value) => {
    const name = typeNameOf(orm, value);
    if (name === undefined) throw new NeedsGraphQLJs();
    const known = fieldsByName.get(name);
    if (known !== undefined) return known;
    const member = graphQLSchema.getType(name);
    if (!isObjectType(member) || !graphQLSchema.isSubType(type, member)) throw new NeedsGraphQLJs();
    if (!plannable.types.has(member)) throw new NotPlanned(name);
    const fields = planSelection(context, member, selectionSets);
    fieldsByName.set(name, fields);
    return fields;
  };
}

/** The call of a resolver that needs only the source and the arguments. */
class PlannedCall implements ResolverCall {
  readonly isPlanned = true;
  readonly args: ArgumentValues;
  readonly givenArgs: ArgumentValues;

  /** Stores what every resolver receives. */
  constructor(
    readonly source: unknown,
    { args, givenArgs }: PlannedArguments,
    readonly context: unknown,
  ) {
    this.args = args;
    this.givenArgs = givenArgs;
  }

  get info(): GraphQLResolveInfo {
    throw new NeedsGraphQLJs();
  }
}
