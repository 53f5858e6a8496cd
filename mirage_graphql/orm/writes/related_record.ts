import { enumerate, keyOf } from "../../shared/names.ts";
import { getNamedType, isAbstractType, isObjectType } from "graphql";
import { nodeTypeOf } from "../../schema/page_types.ts";
import { fieldOf, possibleTypes } from "../../schema/types.ts";
import { fieldNameOf, type MirageAssociation, type MirageRecord } from "../mirage/mirage_schema.ts";
import { hasField, type MockModel, type Relation } from "../models/model_map.ts";
import { otherTypeOf } from "../records/record_ids.ts";
import { isPlainObject } from "../../shared/values.ts";
import { hasRecord, readRefs, type RecordRef, storedId } from "./record_ref.ts";
import { labelOfModel, type WriteContext, writeError } from "./write_context.ts";

/** The value of a related id, and the input field that contains it. */
export interface RelatedValue {
  readonly key: string;
  readonly value: unknown;
}

/**
 * Finds the record that an input refers to by its id. Polymorphic relations also accept
 * `{ type, id }`, and look a bare id up in all types that the relation can have.
 */
export function relatedRecord(
  context: WriteContext,
  association: MirageAssociation,
  related: RelatedValue,
): RecordRef {
  const { id, typeName } = parseRelated(context, association, related);
  const allowed = allowedModels(context, association);
  const named = typeName === undefined
    ? allowed
    : allowed.filter((name) => isNamed(context, name, typeName));
  const [ref, other] = named
    .map((modelName) => ({ modelName, id: storedId(context, modelName, id) }))
    .filter((candidate) => hasRecord(context.mirageSchema, candidate));
  if (ref === undefined) {
    const types = (named.length === 0 ? allowed : named).map((name) => labelOfModel(context, name));
    const isOf = otherTypeOf(context, types, id);
    const reason = isOf === undefined ? "" : `; it is the id of a ${isOf}`;
    const state = named.length === 0
      ? `it leads to ${enumerate(types, "or")}, not to ${typeName}`
      : `there is no ${enumerate(types, "or")} "${id}"${reason}`;
    throw refuse(context, association, { ...related, state });
  }
  if (other !== undefined) {
    const [one, two] = [ref, other].map(({ modelName }) => labelOfModel(context, modelName));
    const state = `${one} and ${two} both have a record "${id}", so pass { type, id }`;
    throw refuse(context, association, { ...related, state });
  }
  return ref;
}

function parseRelated(
  context: WriteContext,
  association: MirageAssociation,
  related: RelatedValue,
): { readonly id: string; readonly typeName: string | undefined } {
  const { value } = related;
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    return { id: String(value), typeName: undefined };
  }
  if (association.isPolymorphic && isPlainObject(value) && isTypeAndId(value)) {
    return { id: String(value.id), typeName: String(value.type) };
  }
  const expected = association.isPolymorphic ? "an id or { type, id }" : "an id";
  throw refuse(context, association, { ...related, state: `it takes ${expected}` });
}

/** Whether an object only has the type and the id of a record. */
export function isTypeAndId(value: Record<string, unknown>): boolean {
  const isGiven = (part: unknown) => part !== null && part !== undefined;
  return isGiven(value.type) && isGiven(value.id) &&
    Object.entries(value).every(([key, part]) => key === "type" || key === "id" || !isGiven(part));
}

/** Reads relations of records. */
export interface RelationReader {
  /** The names of the models to which a relation may lead. */
  targets(model: MockModel, relation: Relation): readonly string[];
  /** The records to which it leads. */
  refs(model: MockModel, relation: Relation, record: Readonly<MirageRecord>): readonly RecordRef[];
}

/** Creates what reads relations by the associations of a Mirage schema. */
export function createRelationReader(context: WriteContext): RelationReader {
  const of = ({ modelName }: MockModel, { association }: Relation) =>
    context.mirageSchema.associationsFor(modelName)[association]!;
  return {
    targets: (...relation) => allowedModels(context, of(...relation)),
    refs: (model, relation, record) => readRefs(record, of(model, relation)),
  };
}

/**
 * The models that an association can lead to: those of the GraphQL field's type, if there is one.
 */
export function allowedModels(
  { graphQLSchema, models }: WriteContext,
  association: MirageAssociation,
): readonly string[] {
  if (!association.isPolymorphic) return [association.modelName];
  const owner = models.ofModel(association.ownerModelName)?.typeName ?? "";
  const field = fieldOf(graphQLSchema, owner, fieldNameOf(association));
  const named = field && getNamedType(field.type);
  const type = isObjectType(named) ? nodeTypeOf(named) : named;
  if (!isAbstractType(type)) return models.models.map(({ modelName }) => modelName);
  return possibleTypes(graphQLSchema, type)
    .flatMap(({ name }) => models.ofType(name)?.modelName ?? []);
}

/**
 * The model of a new record that an association leads to: of several, the first one that has fields
 * for all values.
 */
export function modelFor(
  context: WriteContext,
  association: MirageAssociation,
  input: Readonly<Record<string, unknown>>,
): string {
  const { graphQLSchema, models } = context;
  const allowed = allowedModels(context, association);
  const fitting = allowed.find((name) => {
    const model = models.ofModel(name);
    return model && Object.keys(input).every((key) => hasField(graphQLSchema, model, key));
  });
  return allowed.length > 1 && fitting !== undefined
    ? fitting
    : allowed[0] ?? association.modelName;
}

/** Accepts the GraphQL name of a type and Mirage's name of its model, in any casing. */
function isNamed(context: WriteContext, modelName: string, name: string): boolean {
  const key = keyOf(name);
  return key === keyOf(modelName) || key === keyOf(labelOfModel(context, modelName));
}

function refuse(
  context: WriteContext,
  association: MirageAssociation,
  refused: RelatedValue & { readonly state: string },
): Error {
  const { key, value, state } = refused;
  const typeName = labelOfModel(context, association.ownerModelName);
  return writeError(`Cannot link ${JSON.stringify(value)} as "${key}" of ${typeName}: ${state}`);
}
