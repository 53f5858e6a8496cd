import {
  getNamedType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { GivenPart, Gives } from "../../dialects/dialect.ts";
import { createPatternTable } from "../../dialects/patterns.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import { isList } from "../../schema/types.ts";
import type { Answer } from "../write_intent.ts";
import { edgeAnswer, isWhole, recordsOf } from "./guessed_answer.ts";
import { isObject } from "../../shared/values.ts";

/** What a rule says about the type of a mutation, and the names in its patterns. */
interface Given {
  readonly model: MockModel;
  readonly gives: Gives;
  fill(pattern: string): readonly string[];
}

/** The value of a mutation by the rule of a dialect; `undefined` if its type does not fit. */
export function createGivenAnswer(
  graphQLSchema: GraphQLSchema,
  type: GraphQLOutputType,
  { model, gives, fill }: Given,
): Answer | undefined {
  if (typeof gives === "string") return partAnswer(graphQLSchema, { name: "", type }, model, gives);
  const payload = getNamedType(type);
  if (!isObjectType(payload) || isList(type) || payload.name === model.typeName) return undefined;
  const partsOf = createPatternTable(
    Object.entries(gives).flatMap(([pattern, part]) =>
      fill(pattern).map((name) => [name, part] as const)
    ),
  );
  const answers = new Map<string, Answer>();
  for (const field of Object.values(payload.getFields())) {
    const answer = partsOf(field.name)
      .map((part) => partAnswer(graphQLSchema, field, model, part))
      .find((one) => one !== undefined);
    if (answer !== undefined) answers.set(field.name, answer);
    else if (isNonNullType(field.type)) return undefined;
  }
  if (answers.size === 0) return undefined;
  return (written) =>
    Object.fromEntries([...answers].map(([name, answer]) => [name, answer(written) ?? null]));
}

/** Whether what a mutation returns is about all records that it finds, rather than about one. */
export function isOfMany(gives: Gives): boolean {
  const parts = typeof gives === "string" ? [gives] : Object.values(gives);
  const isOne = parts.includes("record") || parts.includes("edge");
  return !isOne && ["records", "count", "ids"].some((part) => parts.includes(part as GivenPart));
}

/** The value of a part; `undefined` if it does not fit the type of its field. */
function partAnswer(
  graphQLSchema: GraphQLSchema,
  { name, type }: Pick<GraphQLField<unknown, unknown>, "name" | "type">,
  model: MockModel,
  part: GivenPart,
): Answer | undefined {
  const named = getNamedType(type);
  const isRecord = named.name === model.typeName || isAbstractType(named) &&
      graphQLSchema.getPossibleTypes(named).some((one) => one.name === model.typeName);
  const isLeaf = isLeafType(named) && !isList(type);
  switch (part) {
    case "record":
    case "records":
      return isRecord && isList(type) === (part === "records") ? recordsOf(type) : undefined;
    case "edge":
      return isObjectType(named) ? edgeAnswer(named, model) : undefined;
    case "count":
      return isWhole(named.name) && isLeaf ? ({ count }) => count : undefined;
    case "id":
      return isLeaf ? ({ ids: [id] }) => id : undefined;
    case "ids":
      return isLeafType(named) && isList(type) ? ({ ids }) => ids : undefined;
    case "deleted id":
      return isLeaf ? ({ action, ids: [id] }) => action === "delete" ? id : undefined : undefined;
    case "field":
      return isLeafType(named)
        ? ({ values: [value] }) => isObject(value) ? value[name] : undefined
        : ({ related }) => related(name);
    case "clientMutationId":
      return ({ clientMutationId }) => clientMutationId;
    case "query":
      return named === graphQLSchema.getQueryType() ? () => ({}) : undefined;
    case "true":
      return named.name === "Boolean" ? () => true : undefined;
    case "none":
      return isList(type) ? () => [] : undefined;
  }
}
