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
import type { ShapeOf } from "../../schema/shapes.ts";
import { fieldOf, isList, possibleTypes } from "../../schema/types.ts";
import { valueOf } from "../../shared/values.ts";
import type { MirageAssociation, MirageRecord } from "../mirage/mirage_schema.ts";
import { type MockModel, relationNamed } from "../models/model_map.ts";
import { inverseOf } from "../mirage/inverse_of.ts";
import {
  findRecord,
  isSameRef,
  readRefs,
  type RecordRef,
  tableOf,
  toRecordRef,
} from "./record_ref.ts";
import { allowedModels } from "./related_record.ts";
import type { Completion, CompletionLink, WriteContext } from "./write_context.ts";

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

/**
 * Creates the function that finds a record for each association of a new record that must not be
 * null and has none. A field with a resolver counts too, because that may read the record.
 */
function createLinkFinder(
  context: WriteContext,
): (owner: RecordRef) => readonly CompletionLink[] {
  const required = requiredAssociations(context);
  return (owner) =>
    (required.get(owner.modelName) ?? []).flatMap((association) => {
      const record = findRecord(context.mirageSchema, owner) ?? {};
      if (readRefs(record, association).length > 0) return [];
      const target = firstFree(context, association, owner);
      return target === undefined ? [] : [{ association, target }];
    });
}

function requiredAssociations(
  { graphQLSchema, mirageSchema, models }: WriteContext,
): ReadonlyMap<string, readonly MirageAssociation[]> {
  return new Map(models.models.map(({ modelName, typeName, relations }) => {
    const associations = mirageSchema.associationsFor(modelName);
    const required = [...relations.values()].flatMap(({ name, isList, association }) =>
      !isList && isRequiredRelation(graphQLSchema, typeName, name)
        ? associations[association] ?? []
        : []
    );
    return [modelName, required];
  }));
}

function isRequiredRelation(graphQLSchema: GraphQLSchema, typeName: string, name: string): boolean {
  return isNonNullType(fieldOf(graphQLSchema, typeName, name)?.type);
}

/** The first record that is not linked to another one yet. */
function firstFree(
  context: WriteContext,
  association: MirageAssociation,
  owner: RecordRef,
): RecordRef | undefined {
  const { mirageSchema } = context;
  for (const modelName of allowedModels(context, association)) {
    const inverse = inverseOf(mirageSchema, association, modelName);
    let isFound = false;
    // selects one record, because each is copied
    const [first] = tableOf(mirageSchema, modelName).where((record) => {
      if (isFound || isSameRef(toRecordRef(modelName, record), owner)) return false;
      isFound = inverse?.type !== "belongsTo" || readRefs(record, inverse).length === 0;
      return isFound;
    });
    if (first !== undefined) return toRecordRef(modelName, first);
  }
  return undefined;
}
