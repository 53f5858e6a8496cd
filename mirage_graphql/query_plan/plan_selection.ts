import {
  type FieldNode,
  getArgumentValues,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from "graphql";
import type { Orm } from "../orm/orm.ts";
import type { AutomaticParts } from "../resolvers/automatic_parts.ts";
import { typeNameOf } from "../resolvers/type_name.ts";
import { answerFields, type FieldPlan, readProperty } from "./answer_fields.ts";
import { answerLeaf, answerList, answerNonNull, isMissing } from "./answer_value.ts";
import { NeedsExecutor, NotPlanned } from "./not_planned.ts";
import { type Answer, type Args, PlannedCall, type QueryRun } from "./query_run.ts";
import { selectedFields, type SelectionContext } from "./selected_fields.ts";

/** What plans of one operation are made from. */
export interface Planning extends SelectionContext {
  readonly orm: Orm;
  readonly automatic: AutomaticParts;
}

/**
 * Plans the fields that are selected of objects of one type.
 *
 * @throws {NotPlanned} Where one of them isn't resolved automatically.
 */
export function planSelection(
  planning: Planning,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): readonly FieldPlan[] {
  const fields = selectedFields(planning, type, selectionSets);
  return Array.from(fields, ([responseName, nodes]) => ({
    responseName,
    answer: planField(planning, type, nodes),
  }));
}

function planField(
  planning: Planning,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): Answer {
  const [node] = nodes;
  const name = node?.name.value ?? "";
  if (name === "__typename") return () => type.name;
  const field = type.getFields()[name];
  const automatic = field && planning.automatic.fields.get(field);
  if (node === undefined || field === undefined || automatic === undefined) {
    throw new NotPlanned(`${type.name}.${name}`);
  }
  const answerRead = planValue(planning, field.type, nodes);
  const { resolve } = automatic;
  if (resolve === undefined) return (parent, run) => answerRead(readProperty(parent, name), run);
  const argsOf = planArguments(field, node);
  return (parent, run) =>
    answerRead(resolve(new PlannedCall(parent, argsOf(run), run.context)), run);
}

const NO_ARGUMENTS: Args = Object.freeze({});

function planArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (run: QueryRun) => Args {
  if (field.args.length === 0) return () => NO_ARGUMENTS;
  const place = {};
  return ({ args, variables }) => {
    const known = args.get(place);
    if (known !== undefined) return known;
    const values = getArgumentValues(field, node, variables);
    args.set(place, values);
    return values;
  };
}

function planValue(
  planning: Planning,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): Answer {
  if (isNonNullType(type)) return answerNonNull(planValue(planning, type.ofType, nodes));
  if (isListType(type)) return answerList(planValue(planning, type.ofType, nodes));
  if (isLeafType(type)) return answerLeaf(type);
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fieldsOf = isObjectType(type)
    ? planObject(planning, type, selectionSets)
    : planAbstract(planning, type, selectionSets);
  return (value, run) => isMissing(value) ? null : answerFields(fieldsOf(value), value, run);
}

/** The fields that are selected of a value. */
type FieldsOf = (value: unknown) => readonly FieldPlan[];

function planObject(
  planning: Planning,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): FieldsOf {
  if (!planning.automatic.types.has(type)) throw new NotPlanned(type.name);
  const fields = planSelection(planning, type, selectionSets);
  return () => fields;
}

/** The fields of a type are planned when the first value of it is met. */
function planAbstract(
  planning: Planning,
  type: GraphQLAbstractType,
  selectionSets: readonly SelectionSetNode[],
): FieldsOf {
  if (!planning.automatic.types.has(type)) throw new NotPlanned(type.name);
  const fieldsByName = new Map<string, readonly FieldPlan[]>();
  return (value) => {
    const name = typeNameOf(planning.orm, value) ?? "";
    const known = fieldsByName.get(name);
    if (known !== undefined) return known;
    const member = planning.graphQLSchema.getType(name);
    if (!isObjectType(member) || !planning.graphQLSchema.isSubType(type, member)) {
      throw new NeedsExecutor();
    }
    const fields = planObject(planning, member, selectionSets)(value);
    fieldsByName.set(name, fields);
    return fields;
  };
}
