import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { wordsOf } from "../../conventions/words.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import { isConnectionPart, isIdType, isList } from "../../schema/type_shapes.ts";
import type { Answer, Written } from "../convention_rules.ts";
import { isDeletedId } from "../payload_values.ts";

/** How a mutation answers. */
export interface AnswerPlan {
  readonly toValue: Answer;
  /** Whether the answer has the records, or says that they are written. */
  readonly reports: boolean;
}

type Field = GraphQLField<unknown, unknown>;

/**
 * Plans the answer of a mutation of a model's records: the records, how many they are, that it
 * worked, or a payload with any of these. `undefined` if the type has no place for what was
 * written.
 */
export function createAnswer(type: GraphQLOutputType, model: MockModel): AnswerPlan | undefined {
  const named = getNamedType(type);
  if (isObjectType(named) && named.name !== model.typeName) {
    return isList(type) ? undefined : payloadAnswer(named, model);
  }
  const toValue = named.name === model.typeName
    ? recordsOf(type)
    : isLeafType(named) && !isList(type)
    ? leafAnswer(named.name)
    : undefined;
  return toValue && { toValue, reports: true };
}

function recordsOf(type: GraphQLOutputType): Answer {
  return isList(type) ? ({ values }) => values : ({ values }) => values[0] ?? null;
}

function leafAnswer(name: string): Answer | undefined {
  if (name === "Boolean") return () => true;
  if (name === "Int") return ({ ids }) => ids.length;
  return name === "ID" ? ({ ids }) => ids[0] ?? null : undefined;
}

function payloadAnswer(type: GraphQLObjectType, model: MockModel): AnswerPlan | undefined {
  const fields = Object.values(type.getFields());
  const answers = fields.map((field): readonly [string, Answer | undefined] => [
    field.name,
    fieldAnswer(field, model),
  ]);
  const missing = fields.some((field, index) =>
    isNonNullType(field.type) && answers[index]?.[1] === undefined
  );
  if (missing || answers.every(([, answer]) => answer === undefined)) return undefined;
  const toValue = (written: Written) =>
    Object.fromEntries(answers.map(([name, answer]) => [name, answer?.(written) ?? null]));
  return { toValue, reports: fields.some((field) => isReport(field, model)) };
}

function isReport(field: Field, model: MockModel): boolean {
  const named = getNamedType(field.type);
  if (named.name === model.typeName) return true;
  if (isObjectType(named) && isConnectionPart(named)) return edgeAnswer(named, model) !== undefined;
  return !isList(field.type) && reportAnswer(field) !== undefined;
}

function fieldAnswer(field: Field, model: MockModel): Answer | undefined {
  const { name, type } = field;
  const named = getNamedType(type);
  if (name === "clientMutationId") return ({ clientMutationId }) => clientMutationId;
  if (isDeletedId(field, model)) {
    return ({ ids, isDeletion }) => isDeletion ? ids[0] : undefined;
  }
  if (named.name === model.typeName) return recordsOf(type);
  if (isObjectType(named) && isConnectionPart(named) && !isList(type)) {
    return edgeAnswer(named, model);
  }
  if (model.relations.has(name) && !isLeafType(named)) return ({ related }) => related(name);
  if (/errors$/i.test(name)) return isList(type) ? () => [] : undefined;
  return isList(type) ? emptyList(type) : reportAnswer(field) ?? requiredAnswer(type);
}

/** A plain value where a payload must have one, such as `lastSyncId: Float!`. */
function requiredAnswer(type: GraphQLOutputType): Answer | undefined {
  const typeName = String(type);
  if (typeName === "String!") return () => "";
  if (typeName === "Int!" || typeName === "Float!") return ({ ids }) => ids.length;
  return typeName === "ID!" ? ({ ids }) => ids[0] ?? "" : undefined;
}

function edgeAnswer(type: GraphQLObjectType, model: MockModel): Answer | undefined {
  const node = type.getFields().node;
  if (node === undefined || getNamedType(node.type).name !== model.typeName) return undefined;
  return ({ values: [value], cursor }) => value && { node: value, cursor };
}

function emptyList(type: GraphQLOutputType): Answer | undefined {
  return isNonNullType(type) ? () => [] : undefined;
}

/** Words beside which a count is one of what was written, rather than of a relation. */
const WRITTEN =
  /^(affected|changed|created|deleted|inserted|modified|removed|updated|written|total|records?|rows?)$/;

/** Whether a field counts what was written: `count`, `affected_rows`, `deletedCount`. */
export function isWrittenCount({ name, type }: Pick<Field, "name" | "type">): boolean {
  if (String(getNullableType(type)) !== "Int") return false;
  const words = wordsOf(name);
  return words[0] === "affected" ||
    /^(count|rows)$/.test(words.at(-1) ?? "") &&
      words.slice(0, -1).every((word) => WRITTEN.test(word));
}

/** What reports that a mutation worked: `success`, `code`, `message`, `affected_rows`, `count`. */
function reportAnswer({ name, type }: Field): Answer | undefined {
  const typeName = String(getNullableType(type));
  if (typeName === "Boolean") {
    return isNonNullType(type) ||
        /^(is)?_?(success|ok|succeeded|successful|done|deleted)/i.test(name)
      ? () => true
      : undefined;
  }
  if (isWrittenCount({ name, type })) return ({ ids }) => ids.length;
  if (/^(status_?)?code$|^status$/i.test(name)) {
    return typeName === "Int" ? () => 200 : typeName === "String" ? () => "200" : undefined;
  }
  if (/^message$/i.test(name) && typeName === "String") return () => "OK";
  return isIdType(type) && name === "id" ? ({ ids }) => ids[0] : undefined;
}
