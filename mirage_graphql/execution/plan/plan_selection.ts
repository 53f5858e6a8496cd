import {
  getArgumentValues,
  getNamedType,
  getNullableType,
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
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { hasDefault } from "../../shared/graphql_versions.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { foreignIds, MockRecord, RecordList } from "../../orm/records/record_store.ts";
import { hasValue, NeedsGraphQLJs, type ResolverCall, without } from "../../arguments/call.ts";
import { isPlannableInput, type PlannableFields } from "../../fields/plannable_fields.ts";
import {
  appliesTo,
  collectFields,
  type FieldNodes,
  type SelectionContext,
} from "../../shared/selection.ts";
import { type Related, typeNameOf } from "../../orm/records/related.ts";
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
  readyType,
} from "./complete_value.ts";

/** Ends the planning of an operation that graphql-js always has to execute. */
export class NotPlanned extends Error {}

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
 * @throws {NotPlanned} If one of them is not resolved automatically or has a directive, if a fragment
 * defines variables, or if there are too many fields.
 */
export function planSelection(
  context: PlanContext,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): readonly FieldPlan[] {
  const fields = collectFields(context, type, selectionSets, (fragment, spread) => {
    checkDirectives(spread);
    if (fragment.kind === Kind.FRAGMENT_DEFINITION && fragment.variableDefinitions?.length) {
      throw new NotPlanned();
    }
    return appliesTo(context, fragment, type);
  });
  context.fieldsLeft -= fields.size;
  if (context.fieldsLeft < 0) throw new NotPlanned();
  return Array.from(fields, ([responseName, nodes]) => ({
    responseName,
    ...planField(context, type, nodes),
  }));
}

/** Directives other than `@skip` and `@include` are left to graphql-js. */
function checkDirectives({ directives = [] }: SelectionNode): void {
  if (directives.some(({ name }) => name.value !== "skip" && name.value !== "include")) {
    throw new NotPlanned();
  }
}

function planField(
  context: PlanContext,
  type: GraphQLObjectType,
  nodes: FieldNodes,
): Omit<FieldPlan, "responseName"> {
  nodes.forEach(checkDirectives);
  const name = nodes[0].name.value;
  if (name === "__typename") return toField(() => type.name);
  const field = type.getFields()[name];
  const plannable = field && context.plannable.fields.get(field);
  if (field === undefined || plannable === undefined) throw new NotPlanned();
  const complete = planValue(context, field.type, nodes);
  const { resolve, related } = plannable;
  if (resolve === undefined) {
    const ready = readyType(getNullableType(field.type));
    return toField((source, exeContext) => complete(source?.[name], exeContext), name, ready);
  }
  const argsOf = planArguments(field, nodes);
  const execute: Execute = (own, exeContext, model) => {
    const source = model && own && !(own instanceof MockRecord) ? new MockRecord(model, own) : own;
    const args = argsOf?.(exeContext) ?? NO_ARGUMENTS;
    return complete(resolve(new PlannedCall(source, args, exeContext.contextValue)), exeContext);
  };
  return toField(related && !argsOf ? planRelated(related, complete, execute) : execute);
}

/** All fields have the same members, so that they have one shape in V8. */
function toField(
  execute: Execute,
  property?: string,
  ready?: string,
): Omit<FieldPlan, "responseName"> {
  return { property, ready, execute };
}

type Execute = FieldPlan["execute"];

/** Reads a relation from the database's own records; other parents need the resolver. */
function planRelated(
  { model: target, relation, find }: Related,
  complete: CompleteValue,
  execute: Execute,
): Execute {
  const { foreignKey, isList } = relation;
  return (source, exeContext, model) => {
    if (model === undefined) return execute(source, exeContext);
    const key = source?.[foreignKey];
    if (!isList) {
      return complete(key === null || key === undefined ? null : find(key), exeContext, target);
    }
    const records = [];
    for (const id of foreignIds(key)) {
      const record = find(id);
      if (record !== undefined) records.push(record);
    }
    return complete(new RecordList([{ model: target, records }]), exeContext);
  };
}

const NO_ARGUMENTS: PlannedArguments = Object.freeze({ args: {}, givenArgs: {} });

function planArguments(
  field: GraphQLField<unknown, unknown>,
  [node]: FieldNodes,
): ((exeContext: ExecutionContext) => PlannedArguments) | undefined {
  const isUsed = (argument: GraphQLArgument) =>
    hasDefault(argument) || node.arguments?.some(({ name }) => name.value === argument.name);
  const used = field.args.filter(isUsed);
  if (used.length === 0) return undefined;
  if (!used.every(({ type }) => isPlannableInput(getNamedType(type)))) {
    throw new NotPlanned();
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
    const planned = { args, givenArgs: defaults.length === 0 ? args : givenOf(args, variables) };
    known.set(key, planned);
    return planned;
  };
  function givenOf(args: ArgumentValues, variables: ExecutionContext["variables"]): ArgumentValues {
    const unset = defaults.filter(({ value }) => !value || !hasValue(value, variables));
    return without(args, unset.map(({ argument }) => argument));
  }
}

function planValue(
  context: PlanContext,
  type: GraphQLOutputType,
  nodes: FieldNodes,
): CompleteValue {
  if (isNonNullType(type)) return completeNonNullValue(planValue(context, type.ofType, nodes));
  if (isListType(type)) return completeListValue(planValue(context, type.ofType, nodes));
  if (isLeafType(type)) return completeLeafValue(type);
  if (!context.plannable.types.has(type)) throw new NotPlanned();
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
): (value: unknown, model: MockModel | undefined) => readonly FieldPlan[] {
  const { orm, graphQLSchema, plannable } = context;
  const fieldsByName = new Map<string, readonly FieldPlan[]>();
  return (value, model) => {
    const name = model?.typeName ?? typeNameOf(orm, value);
    if (name === undefined) throw new NeedsGraphQLJs();
    const known = fieldsByName.get(name);
    if (known !== undefined) return known;
    const member = graphQLSchema.getType(name);
    if (!isObjectType(member) || !graphQLSchema.isSubType(type, member)) throw new NeedsGraphQLJs();
    if (!plannable.types.has(member)) throw new NotPlanned();
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
