import { type Pluralize, wordsOf } from "../../shared/names.ts";
import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { MockModel } from "../../orm/models/model_map.ts";
import { isConnectionPart } from "../../schema/page_types.ts";
import { fieldOf, isIdType, isList, possibleTypes } from "../../schema/types.ts";
import { actionDone, actionDoneIn, type MutationWords } from "../mutation_name.ts";
import { isDeletedId } from "../payload_values.ts";
import type { Answer, Written } from "../write_intent.ts";
import { isObject } from "../../shared/values.ts";

/** How a mutation responds. */
export interface AnswerPlan {
  readonly toValue: Answer;
  /** Whether the response contains the records, or reports that they are written. */
  readonly reports: boolean;
}

type Field = GraphQLField<unknown, unknown>;

/** What a response is about. */
export interface AnswerSubject {
  readonly graphQLSchema: GraphQLSchema;
  /** The model whose records are written. */
  readonly model: MockModel;
  readonly words: MutationWords;
  /** Whether a type has a model. */
  isRecord(typeName: string): boolean;
  /** Whether a call, or what it writes, leads to a record of another type. */
  leadsTo(typeName: string): boolean;
}

/** What responses are created for. */
interface AnswerContext extends AnswerSubject {
  /** The depth in the payload. */
  readonly depth: number;
}

/** How deep payloads are filled: `{ info { nodesCreated } }` is two levels. */
const MAX_DEPTH = 2;

/**
 * Plans the response of a mutation of a model's records: the records, their number, success, or a
 * payload with any of these. `undefined` if the type can't report what was written.
 */
export function createAnswer(
  subject: AnswerSubject,
  type: GraphQLOutputType,
): AnswerPlan | undefined {
  const named = getNamedType(type);
  const members = membersOf(subject, named);
  const isRecord = members.includes(subject.model.typeName);
  if (!isRecord && members.length > 0) {
    const toValue = otherAnswer(subject, type);
    return toValue && { toValue, reports: true };
  }
  if (!isRecord && isObjectType(named)) {
    return isList(type) ? undefined : payloadAnswer({ ...subject, depth: 1 }, named);
  }
  if (!isRecord && isAbstractType(named)) return unionAnswer({ ...subject, depth: 0 }, type);
  const toValue = isRecord
    ? recordsOf(type)
    : isLeafType(named) && !isList(type)
    ? leafAnswer(named.name)
    : undefined;
  return toValue && { toValue, reports: true };
}

/** The types with a model that a value of a type may have. */
function membersOf({ graphQLSchema, isRecord }: AnswerSubject, type: GraphQLNamedType): string[] {
  if (!isCompositeType(type)) return [];
  return possibleTypes(graphQLSchema, type).map(({ name }) => name).filter(isRecord);
}

/** A record of another model than the written one, which is never made up. */
function otherAnswer(subject: AnswerSubject, type: GraphQLOutputType): Answer | undefined {
  const names = membersOf(subject, getNamedType(type)).filter(subject.leadsTo);
  if (names.length === 0 || isList(type)) return undefined;
  return ({ other }) => {
    for (const name of names) {
      const value = other(name);
      if (value !== undefined) return value;
    }
    return null;
  };
}

/** Whether a mutation writes all records that it finds, by what it returns and by its name. */
export function isBulkAnswer(
  words: MutationWords,
  { name, type }: Field,
  model: MockModel,
  plural: Pluralize,
): boolean {
  const named = getNamedType(type);
  if (isList(type) || isWhole(named.name)) return true;
  if (named.name === model.typeName || isAbstractType(named)) return false;
  const fields = isObjectType(named) ? Object.values(named.getFields()) : [];
  const isOfRecord = (field: Field) => getNamedType(field.type).name === model.typeName;
  if (fields.some(isOfRecord)) {
    return fields.some((field) => isOfRecord(field) && isList(field.type));
  }
  return fields.some((field) => isWrittenCount(words, field)) ||
    namesMany(words, name, model, plural);
}

/** Whether a name contains the plural of a model's name, or a word for many. */
function namesMany(
  words: MutationWords,
  name: string,
  { typeName }: MockModel,
  plural: Pluralize,
): boolean {
  const own = wordsOf(name);
  if (own.some((word) => words.is("many", word))) return true;
  const last = wordsOf(typeName).at(-1) ?? "";
  return !own.includes(last) && own.includes(plural(last));
}

export function recordsOf(type: GraphQLOutputType): Answer {
  return isList(type) ? ({ values }) => values : ({ values }) => values[0] ?? null;
}

function leafAnswer(name: string): Answer | undefined {
  if (name === "Boolean") return () => true;
  if (isWhole(name)) return ({ count }) => count;
  return name === "ID" ? ({ ids }) => ids[0] ?? null : undefined;
}

/** Whether a scalar has whole numbers: `Int`, or the `Long` and `BigInt` of some APIs. */
export function isWhole(typeName: string): boolean {
  return /^(big|unsigned)?(int|integer|long)(32|64)?$/i.test(typeName);
}

function payloadAnswer(context: AnswerContext, type: GraphQLObjectType): AnswerPlan | undefined {
  const fields = Object.values(type.getFields());
  const answers = fields.map((field): readonly [string, Answer | undefined] => [
    field.name,
    fieldAnswer(context, field, fields),
  ]);
  const missing = fields.some((field, index) =>
    isNonNullType(field.type) && answers[index]?.[1] === undefined
  );
  if (missing || answers.every(([, answer]) => answer === undefined)) return undefined;
  const toValue = (written: Written) =>
    Object.fromEntries(answers.map(([name, answer]) => [name, answer?.(written) ?? null]));
  return { toValue, reports: fields.some((field) => isReport(context, field, fields)) };
}

/** The member of a union that has the record, as in `PostCreated | PostError`. */
function unionAnswer(context: AnswerContext, type: GraphQLOutputType): AnswerPlan | undefined {
  const named = getNamedType(type);
  if (!isAbstractType(named) || isList(type) || context.depth >= MAX_DEPTH) return undefined;
  const inner = { ...context, depth: context.depth + 1 };
  for (const member of possibleTypes(context.graphQLSchema, named)) {
    const plan = FAILED.test(member.name) ? undefined : payloadAnswer(inner, member);
    const fields = Object.values(member.getFields());
    // a message alone may say that nothing has been done
    const isDone = fields.some((field) => {
      const { name } = getNamedType(field.type);
      return !/^(String|Int|ID)$/.test(name) && isReport(inner, field, fields);
    });
    if (plan === undefined || !isDone) continue;
    const toValue = (written: Written) => {
      const value = plan.toValue(written);
      return isObject(value) ? { ...value, __typename: member.name } : value;
    };
    return { toValue, reports: true };
  }
  return undefined;
}

/** Names of types that say that a mutation has not been done. */
const FAILED = /(error|errors|failure|problem|exception|invalid|denied|notfound)/i;

function isReport(context: AnswerContext, field: Field, fields: readonly Field[]): boolean {
  const { model } = context;
  const named = getNamedType(field.type);
  const members = membersOf(context, named);
  if (members.length > 0) return members.includes(model.typeName);
  if (isObjectType(named) && isConnectionPart(named)) return edgeAnswer(named, model) !== undefined;
  if (isCompositeType(named) && !isList(field.type)) {
    return (innerAnswer(context, field) ?? unionAnswer(context, field.type))?.reports === true;
  }
  return !isList(field.type) && reportAnswer(context, field, fields) !== undefined;
}

function fieldAnswer(
  context: AnswerContext,
  field: Field,
  fields: readonly Field[],
): Answer | undefined {
  const { name, type } = field;
  const { graphQLSchema, model } = context;
  const named = getNamedType(type);
  const members = membersOf(context, named);
  if (name === "clientMutationId") return ({ clientMutationId }) => clientMutationId;
  if (isDeletedId(field, model)) {
    return ({ ids, action }) => action === "delete" ? ids[0] : undefined;
  }
  if (members.includes(model.typeName)) return recordsOf(type);
  if (named === graphQLSchema.getQueryType()) return () => ({});
  if (isObjectType(named) && isConnectionPart(named) && !isList(type)) {
    return edgeAnswer(named, model);
  }
  if (model.relations.has(name) && !isLeafType(named)) return ({ related }) => related(name);
  if (members.length > 0) return otherAnswer(context, type);
  if (/errors$/i.test(name) && (isList(type) || !isLeafType(named))) {
    return isList(type) ? () => [] : undefined;
  }
  if (isList(type)) {
    return /ids$/i.test(name) && isLeafType(named) ? ({ ids }) => ids : emptyList(type);
  }
  return reportAnswer(context, field, fields) ?? attributeAnswer(context, field) ??
    (innerAnswer(context, field) ?? unionAnswer(context, type))?.toValue ?? requiredAnswer(field);
}

/** An object inside of the payload, such as `info { nodesCreated }`. */
function innerAnswer(context: AnswerContext, { type }: Field): AnswerPlan | undefined {
  const named = getNamedType(type);
  if (!isObjectType(named) || isList(type) || context.depth === MAX_DEPTH) return undefined;
  // what has an id is a record, which is never made up
  if (named.getFields().id !== undefined) return undefined;
  return payloadAnswer({ ...context, depth: context.depth + 1 }, named);
}

/** An attribute of the record that the payload repeats: `{ documentId }`. */
function attributeAnswer(
  { graphQLSchema, model }: AnswerContext,
  { name, type }: Field,
): Answer | undefined {
  const own = fieldOf(graphQLSchema, model.typeName, name);
  if (own === undefined || getNamedType(own.type) !== getNamedType(type)) return undefined;
  if (!isLeafType(getNamedType(type))) return undefined;
  return ({ values: [value] }) => isObject(value) ? value[name] : undefined;
}

/** A plain value for a non-null field of a payload, such as `lastSyncId: Float!`. */
function requiredAnswer({ name, type }: Field): Answer | undefined {
  const typeName = String(type);
  if (/^(ID|String)!$/.test(typeName) && wordsOf(name).at(-1) === "id") {
    return ({ ids }) => ids[0] ?? "";
  }
  if (typeName === "String!") return () => "";
  if (typeName === "Int!" || typeName === "Float!") return ({ ids }) => ids.length;
  return typeName === "ID!" ? ({ ids }) => ids[0] ?? "" : undefined;
}

export function edgeAnswer(type: GraphQLObjectType, model: MockModel): Answer | undefined {
  const node = type.getFields().node;
  if (node === undefined || getNamedType(node.type).name !== model.typeName) return undefined;
  return ({ values: [value], cursor }) => value && { node: value, cursor };
}

function emptyList(type: GraphQLOutputType): Answer | undefined {
  return isNonNullType(type) ? () => [] : undefined;
}

/** Whether a field counts what was written: `count`, `affected_rows`, `deletedCount`. */
function isWrittenCount(
  known: MutationWords,
  { name, type }: Pick<Field, "name" | "type">,
): boolean {
  if (isList(type) || !isWhole(getNamedType(type).name)) return false;
  const words = wordsOf(name);
  if (words[0] === "affected") return true;
  const others = words.filter((word) => word !== "count");
  return others.every((word) => known.is("written", word) || actionDone(word) !== undefined) &&
    (others.length < words.length || others.length > 1 || others[0] === "rows");
}

/** Fields that report success: `success`, `code`, `message`, `affected_rows`, `count`. */
function reportAnswer(
  { model, words }: AnswerContext,
  field: Field,
  fields: readonly Field[],
): Answer | undefined {
  const { name, type } = field;
  const typeName = String(getNullableType(type));
  if (typeName === "Boolean") {
    const booleans = fields.filter((one) => String(getNullableType(one.type)) === "Boolean");
    const isOnly = booleans.length === 1 && !model.getters.has(name);
    return isNonNullType(type) || isOnly ? booleanAnswer(name) : undefined;
  }
  if (isWrittenCount(words, field)) return countAnswer(name);
  if (/^(status_?)?code$|^status$/i.test(name)) {
    return typeName === "Int" ? () => 200 : typeName === "String" ? () => "200" : undefined;
  }
  if (/^(message|msg)$/i.test(name) && typeName === "String") return () => "OK";
  return isIdType(type) && name === "id" ? ({ ids }) => ids[0] : undefined;
}

/** The mutation succeeded, so everything is true except a failure or another action. */
function booleanAnswer(name: string): Answer {
  if (wordsOf(name).some((word) => /^(error|fail|invalid|conflict)/.test(word))) return () => false;
  const done = actionDoneIn(name);
  return ({ action }) => done === undefined || action === "upsert" || action === done;
}

function countAnswer(name: string): Answer {
  const done = actionDoneIn(name);
  return ({ action, count }) =>
    done === undefined || action === "upsert" || action === done ? count : 0;
}
