import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  isCompositeType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { leafDefault } from "../../schema/leaf_default.ts";
import type { ShapeOf } from "../../schema/shapes.ts";
import { isList, possibleTypes } from "../../schema/types.ts";
import { valueOf } from "../../values.ts";
import type { MirageRecord } from "../mirage.ts";
import { type MockModel, relationNamed } from "../models/model_map.ts";
import { createLinkFinder } from "./required_links.ts";
import type { Completion, WriteContext } from "./write_context.ts";

type Field = GraphQLField<unknown, unknown>;

/** What completing records needs of the two schemas. */
interface CompletionContext extends WriteContext {
  readonly shapeOf: ShapeOf;
}

/** Generates values of some fields for the next record of a model. */
export type GenerateValues = (model: MockModel, fields: readonly Field[]) => MirageRecord;

/**
 * Creates what completes new records, for the option `defaults: "generate"`: non-null attributes
 * that were not given, or are `null`, are generated, and relations that must not be null lead to
 * the first record that is free for them. Ids, numbers that may count records, and attributes with
 * resolvers are left unchanged.
 */
export function createCompletion(
  context: CompletionContext,
  generate: GenerateValues = generatePlain,
): Completion {
  return { attributes: createCompleter(context, generate), links: createLinkFinder(context) };
}

function createCompleter(
  parts: CompletionContext,
  generate: GenerateValues,
): Completion["attributes"] {
  const required = new Map(parts.models.models.map((model) => {
    const type = parts.graphQLSchema.getType(model.typeName);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    const needed = fields.filter((field) => isRequired(parts, model, field));
    return [model.modelName, { model, fields: needed }];
  }));
  return (modelName, attributes) => {
    const { model, fields = [] } = required.get(modelName) ?? {};
    const missing = fields.filter(({ name }) => (valueOf(attributes, name) ?? null) === null);
    if (model === undefined || missing.length === 0) return attributes;
    const values = Object.entries(generate(model, missing))
      .filter(([, value]) => value !== undefined);
    return { ...attributes, ...Object.fromEntries(values) };
  };
}

function isRequired(
  parts: CompletionContext,
  model: MockModel,
  { name, type, resolve }: Field,
): boolean {
  return isNonNullType(type) && resolve === undefined && name !== "id" &&
    name !== model.key?.name &&
    !model.getters.has(name) && relationNamed(model, name) === undefined &&
    !(String(type) === "Int!" && /count|total/i.test(name)) &&
    hasNoRecords(parts, getNamedType(type));
}

function hasNoRecords(
  { graphQLSchema, shapeOf, models }: CompletionContext,
  type: GraphQLNamedType,
): boolean {
  if (!isCompositeType(type)) return true;
  const { kind } = shapeOf(type);
  return kind !== "connection" && kind !== "aggregates" &&
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
