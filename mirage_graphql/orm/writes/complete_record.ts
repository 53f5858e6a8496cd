import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { leafDefault } from "../../schema/leaf_default.ts";
import { connectionShape, isList, possibleTypes } from "../../schema/type_shapes.ts";
import type { MirageRecord } from "../mirage.ts";
import { type MockModel, type ModelMap, relationNamed } from "../models/model_map.ts";

/** Adds the values that a record lacks before it is created. */
export type CompleteRecord = (modelName: string, attributes: MirageRecord) => MirageRecord;

type Field = GraphQLField<unknown, unknown>;

/** Generates values of some fields for the next record of a model. */
export type GenerateValues = (model: MockModel, fields: readonly Field[]) => MirageRecord;

/**
 * Creates the function that adds non-null attributes which were not given, or are `null`, for the
 * option `defaults: "generate"`. Ids, relations, numbers that may count records, and fields with
 * resolvers are left alone.
 */
export function createCompleter(
  parts: CompletedParts,
  generate: GenerateValues = generatePlain,
): CompleteRecord {
  const required = new Map(parts.models.models.map((model) => {
    const type = parts.graphQLSchema.getType(model.typeName);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    const needed = fields.filter((field) => isRequired(parts, model, field));
    return [model.modelName, { model, fields: needed }];
  }));
  return (modelName, attributes) => {
    const { model, fields = [] } = required.get(modelName) ?? {};
    const missing = fields.filter(({ name }) => (attributes[name] ?? null) === null);
    if (model === undefined || missing.length === 0) return attributes;
    const values = Object.entries(generate(model, missing))
      .filter(([, value]) => value !== undefined);
    return { ...attributes, ...Object.fromEntries(values) };
  };
}

/** The types, and which of them have records. */
export interface CompletedParts {
  readonly graphQLSchema: GraphQLSchema;
  readonly models: ModelMap;
}

function isRequired(
  parts: CompletedParts,
  model: MockModel,
  { name, type, resolve }: Field,
): boolean {
  return isNonNullType(type) && resolve === undefined && name !== "id" &&
    name !== model.key?.name &&
    !model.getters.has(name) && relationNamed(model, name) === undefined &&
    !(String(type) === "Int!" && /count|total/i.test(name)) &&
    hasNoRecords(parts, getNamedType(type));
}

function hasNoRecords({ graphQLSchema, models }: CompletedParts, type: GraphQLNamedType): boolean {
  if (!isCompositeType(type)) return true;
  return connectionShape(type) === undefined &&
    possibleTypes(graphQLSchema, type).every(({ name }) => models.ofType(name) === undefined);
}

/** The same values for all records; embedded objects are generated when they are read. */
function generatePlain(_model: MockModel, fields: readonly Field[]): MirageRecord {
  return Object.fromEntries(fields.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    if (!isLeafType(named) || named.name === "ID") return [];
    return [[name, isList(type) ? [] : leafDefault(named, name)]];
  }));
}
