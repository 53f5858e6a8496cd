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
import { type FieldInput, otherModel } from "./field_inputs.ts";
import type { StubRules } from "./stub_rules.ts";

/** Objects that are nested deeper are `null`. */
const MAX_DEPTH = 4;

/** What the value of a field is made of. */
export interface ResultParts {
  readonly rules: StubRules;
  /** The variable with the record that the field is about, and its model. */
  readonly record?: { readonly code: string; readonly model: MockModel } | undefined;
  /** The values of the call: a payload returns those of the same names. */
  readonly inputs: readonly FieldInput[];
}

/** The model of a type, of the first of its members that has one, or of an edge's node. */
function modelIn(rules: StubRules, type: GraphQLNamedType): MockModel | undefined {
  const node = isObjectType(type) && rules.orm.shapeOf(type).kind === "connection part"
    ? type.getFields().node
    : undefined;
  return modelOf(rules, node === undefined ? type : getNamedType(node.type));
}

/** The model of a type, or of the first of its members that has one. */
export function modelOf({ orm }: StubRules, type: GraphQLNamedType): MockModel | undefined {
  const { nodeType } = orm.shapeOf(type);
  const named = nodeType ?? type;
  if (!isObjectType(named) && !isAbstractType(named)) return undefined;
  const types = isAbstractType(named) ? orm.graphQLSchema.getPossibleTypes(named) : [named];
  return types
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

/** Where a value stands. */
interface Place {
  readonly name: string;
  /** Levels of objects around it. */
  readonly depth: number;
  /** Whether it must not be null. @default {false} */
  readonly isRequired?: boolean;
}

/** Writes the expression of a value that a type accepts. */
export function resultText(
  type: GraphQLOutputType,
  parts: ResultParts,
  place: Place,
): string {
  if (isNonNullType(type)) return plain(type.ofType, parts, { ...place, isRequired: true });
  const isWanted = place.depth === 0 || leadsToRecord(getNamedType(type), parts) ||
    inputNamed(parts, place.name) !== undefined;
  return isWanted ? plain(type, parts, place) : "null";
}

function plain(
  type: GraphQLOutputType,
  parts: ResultParts,
  place: Place,
): string {
  const named = getNamedType(type);
  const { rules, record, inputs } = parts;
  if (isListType(type)) {
    const model = modelOf(rules, named);
    if (model === undefined) return "[]";
    if (record?.model === model && place.depth > 0) return `[${record.code}]`;
    const name = JSON.stringify(mirageName(model));
    const ids = inputs.find((one) => one.isList && one.type.name === "ID" && one.isRequired);
    const isOwn = ids !== undefined &&
      (ids.name === "ids" || otherModel(rules, ids.name.replace(/s$/, "")) === model);
    return isOwn
      ? `mockSchema.find(${name}, ${ids.code}).models`
      : `mockSchema.all(${name}).models`;
  }
  if (isLeafType(named)) return leafText(named, parts, place);
  const model = modelOf(rules, named);
  if (rules.orm.shapeOf(named).kind === "connection" && model !== undefined) {
    return `mockSchema.all(${JSON.stringify(mirageName(model))}).models`;
  }
  if (model !== undefined) {
    if (record?.model === model) return record.code;
    const name = JSON.stringify(mirageName(model));
    const id = inputs.find((one) => one.isId && otherModel(rules, one.name) === model);
    return id === undefined ? `mockSchema.first(${name})` : `mockSchema.find(${name}, ${id.code})`;
  }
  return objectText(named, parts, place.depth);
}

function leafText(
  type: GraphQLNamedType,
  { rules, record, inputs }: ResultParts,
  { name, isRequired = false }: Place,
): string {
  const plain = isEnumType(type)
    ? type.getValues()[0]?.name
    : type.name === "Boolean" || (isLeafType(type) ? rules.leafDefault(type, name) : undefined);
  const text = JSON.stringify(plain ?? null);
  const input = inputs.find((one) =>
    one.name === name && one.type.name === type.name && !one.isList
  );
  if (input !== undefined) {
    return input.isRequired || !isRequired ? input.code : `${input.code} ?? ${text}`;
  }
  return type.name === "ID" && record !== undefined ? `${record.code}.id` : text;
}

/** An object without records of its own: a payload, or a part of one. */
function objectText(
  type: GraphQLNamedType,
  parts: ResultParts,
  depth: number,
): string {
  const [member] = isAbstractType(type)
    ? parts.rules.orm.graphQLSchema.getPossibleTypes(type)
    : [type];
  if (!isObjectType(member) || depth >= MAX_DEPTH) return "null";
  const shown = Object.values(member.getFields()).filter((field) =>
    isNonNullType(field.type) || leadsToRecord(getNamedType(field.type), parts) ||
    inputNamed(parts, field.name) !== undefined
  );
  const members = shown.map(({ name, type: fieldType }) => {
    const value = resultText(fieldType, parts, { name, depth: depth + 1 });
    return value === name ? name : `${name}: ${value}`;
  });
  const typed = member === type ? members : [`__typename: "${member.name}"`, ...members];
  return typed.length === 0 ? "{}" : `{ ${typed.join(", ")} }`;
}

/** Whether a type is that of the record, or of one whose id the call has. */
function leadsToRecord(type: GraphQLNamedType, { rules, record, inputs }: ResultParts): boolean {
  const model = modelIn(rules, type);
  return model !== undefined && (
    record?.model === model ||
    inputs.some(({ isId, name }) => isId && otherModel(rules, name) === model)
  );
}

function inputNamed({ inputs }: ResultParts, name: string): FieldInput | undefined {
  return inputs.find((input) => input.name === name && isLeafType(input.type));
}

/** The type of a payload's field that leads to the record it is about; `undefined` if none does. */
export function payloadModel(
  rules: StubRules,
  type: GraphQLObjectType,
  named: MockModel | undefined,
): MockModel | undefined {
  const models = Object.values(type.getFields()).flatMap((field) =>
    modelIn(rules, getNamedType(field.type)) ?? []
  );
  return models.find((model) => model === named) ?? models[0];
}
