import {
  getNamedType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { leafDefault } from "../schema/leaf_default.ts";
import { possibleTypes } from "../schema/types.ts";
import type { FieldInput } from "./field_inputs.ts";

/** Objects that are nested deeper are `null`. */
const MAX_DEPTH = 4;

/** What the value of a field is made of. */
export interface ResultParts {
  /** The variable with the record that the field is about, and its model. */
  readonly record?: { readonly code: string; readonly model: MockModel } | undefined;
  /** The values of the call: a payload returns those of the same names. */
  readonly inputs: readonly FieldInput[];
}

/** The model of a type, of the first of its members that has one, or of an edge's node. */
function modelIn(orm: Orm, type: GraphQLNamedType): MockModel | undefined {
  const node = isObjectType(type) && orm.shapeOf(type).kind === "connection part"
    ? type.getFields().node
    : undefined;
  return modelOf(orm, node === undefined ? type : getNamedType(node.type));
}

/** The model of a type, or of the first of its members that has one. */
export function modelOf(orm: Orm, type: GraphQLNamedType): MockModel | undefined {
  const { nodeType } = orm.shapeOf(type);
  const named = nodeType ?? type;
  if (!isObjectType(named) && !isAbstractType(named)) return undefined;
  return possibleTypes(orm.graphQLSchema, named)
    .map((member) => {
      const model = orm.models.ofType(member.name);
      // an object without an id is written in place: nobody has stored one
      const hasId = member.getFields().id !== undefined || model?.key !== undefined;
      return hasId ? model : undefined;
    })
    .find((model) => model !== undefined);
}

/** The name of a model as Mirage's methods take it: `blogPost`. */
export function mirageName({ modelName }: MockModel): string {
  return modelName.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Writes the expression of a value that a type accepts. */
export function resultText(
  orm: Orm,
  type: GraphQLOutputType,
  parts: ResultParts,
  place: { readonly name: string; readonly depth: number },
): string {
  if (isNonNullType(type)) return plain(orm, type.ofType, parts, place);
  const isWanted = place.depth === 0 || leadsToRecord(orm, getNamedType(type), parts) ||
    inputNamed(parts, place.name) !== undefined;
  return isWanted ? plain(orm, type, parts, place) : "null";
}

function plain(
  orm: Orm,
  type: GraphQLOutputType,
  parts: ResultParts,
  place: { readonly name: string; readonly depth: number },
): string {
  const named = getNamedType(type);
  const { record } = parts;
  if (isListType(type)) {
    const model = modelOf(orm, named);
    if (model === undefined) return "[]";
    return record?.model === model && place.depth > 0
      ? `[${record.code}]`
      : `mockSchema.all(${JSON.stringify(mirageName(model))}).models`;
  }
  if (isLeafType(named)) return leafText(named, parts, place.name);
  const model = modelOf(orm, named);
  if (orm.shapeOf(named).kind === "connection" && model !== undefined) {
    return `mockSchema.all(${JSON.stringify(mirageName(model))}).models`;
  }
  if (model !== undefined) {
    return record?.model === model
      ? record.code
      : `mockSchema.first(${JSON.stringify(mirageName(model))})`;
  }
  return objectText(orm, named, parts, place.depth);
}

function leafText(
  type: GraphQLNamedType,
  { record, inputs }: ResultParts,
  name: string,
): string {
  if (isEnumType(type)) {
    return JSON.stringify(type.getValues()[0]?.name ?? null);
  }
  const input = inputs.find((one) => one.name === name && one.type.name === type.name);
  const ending = JSON.stringify(isLeafType(type) ? leafDefault(type, name) ?? null : null);
  if (input?.isRequired && !input.isList) return input.code;
  if (type.name === "ID" && record !== undefined) return `${record.code}.id`;
  if (type.name === "Boolean") return "true";
  return ending;
}

/** An object without records of its own: a payload, or a part of one. */
function objectText(
  orm: Orm,
  type: GraphQLNamedType,
  parts: ResultParts,
  depth: number,
): string {
  const [member] = isAbstractType(type) ? orm.graphQLSchema.getPossibleTypes(type) : [type];
  if (!isObjectType(member) || depth >= MAX_DEPTH) return "null";
  const shown = Object.values(member.getFields()).filter((field) =>
    isNonNullType(field.type) || leadsToRecord(orm, getNamedType(field.type), parts) ||
    inputNamed(parts, field.name) !== undefined
  );
  const members = shown.map(({ name, type: fieldType }) => {
    const value = resultText(orm, fieldType, parts, { name, depth: depth + 1 });
    return value === name ? name : `${name}: ${value}`;
  });
  const typed = member === type ? members : [`__typename: "${member.name}"`, ...members];
  return typed.length === 0 ? "{}" : `{ ${typed.join(", ")} }`;
}

function leadsToRecord(orm: Orm, type: GraphQLNamedType, { record }: ResultParts): boolean {
  return record !== undefined && modelIn(orm, type) === record.model;
}

function inputNamed({ inputs }: ResultParts, name: string): FieldInput | undefined {
  return inputs.find((input) => input.name === name && isLeafType(input.type));
}

/** The type of a payload's field that leads to the record it is about; `undefined` if none does. */
export function payloadModel(
  orm: Orm,
  type: GraphQLObjectType,
  named: MockModel | undefined,
): MockModel | undefined {
  const models = Object.values(type.getFields()).flatMap((field) =>
    modelIn(orm, getNamedType(field.type)) ?? []
  );
  return models.find((model) => model === named) ?? models[0];
}
