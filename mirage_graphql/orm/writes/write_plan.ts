import { getNamedType, isLeafType } from "graphql";
import { fieldOf } from "../../schema/types.ts";
import { urlOf } from "../../shared/file_url.ts";
import { fieldNameOf, type MirageAssociation } from "../mirage/mirage_schema.ts";
import { relationNamed } from "../models/model_map.ts";
import { otherTypeOf } from "../records/record_ids.ts";
import { copyValue, isPlainObject, valueOf } from "../../shared/values.ts";
import type { NestedOwner, PlannedLink, WriteInput, WritePlan } from "./nested_conventions.ts";
import { findRecord, hasRecord, type RecordRef, storedId } from "./record_ref.ts";
import { isTypeAndId, modelFor, relatedRecord } from "./related_record.ts";
import { labelOfModel, type WriteContext, writeError } from "./write_context.ts";

/** Validates the input of a new record, and of those it nests. */
export function planCreate(context: WriteContext, modelName: string, input: WriteInput): WritePlan {
  const id = givenId(context, modelName, input);
  if (id !== undefined) checkOwnType(context, modelName, id);
  const { attributes, links } = planInput(context, { modelName }, input);
  return {
    modelName,
    existing: undefined,
    attributes: id === undefined ? attributes : { ...attributes, id },
    links,
  };
}

/** Validates the input of an existing record, and of those it nests. */
export function planUpdate(context: WriteContext, ref: RecordRef, input: WriteInput): WritePlan {
  const id = givenId(context, ref.modelName, input);
  if (id !== undefined && id !== ref.id) {
    throw writeError(
      `Cannot update ${labelOfModel(context, ref.modelName)} "${ref.id}": ` +
        `its input carries another id, "${id}", and ids can't change`,
    );
  }
  return { modelName: ref.modelName, existing: ref, ...planInput(context, ref, input) };
}

/** The record that an input is for: without an id until it is created. */
interface InputOwner {
  readonly modelName: string;
  readonly id?: string;
}

function planInput(
  context: WriteContext,
  owner: InputOwner,
  input: WriteInput,
): Pick<WritePlan, "attributes" | "links"> {
  const associationOf = associationFinder(context, owner.modelName);
  const attributes: Record<string, unknown> = {};
  const links = new Map<MirageAssociation, PlannedLink & { readonly key: string }>();
  for (const [key, value] of Object.entries(input)) {
    if (key === "id" || value === undefined) continue;
    const association = associationOf(key);
    if (association === undefined) {
      attributes[key] = copyValue(storedValue(context, owner, [key, value]));
      continue;
    }
    const other = links.get(association)?.key;
    if (other !== undefined) throw givenTwice(context, association, [other, key]);
    links.set(association, { key, ...planLink(context, association, { key, value, owner }) });
  }
  storeFiles(context, owner.modelName, attributes);
  return { attributes, links: [...links.values()] };
}

/** The value to store for what an input has: itself, or what a convention makes of it. */
function storedValue(
  context: WriteContext,
  { modelName, id }: InputOwner,
  [name, value]: readonly [string, unknown],
): unknown {
  if (context.nested === undefined || !isPlainObject(value)) return value;
  const old = id === undefined ? {} : findRecord(context.mirageSchema, { modelName, id }) ?? {};
  return context.nested.valueOf(
    { typeName: labelOfModel(context, modelName), name, value },
    valueOf(old, name),
  );
}

function nestedOwner(
  context: WriteContext,
  association: MirageAssociation,
  { modelName, id }: InputOwner,
): NestedOwner {
  return {
    association,
    existing: id === undefined ? undefined : { modelName, id },
    planCreate: (input) => planCreate(context, modelFor(context, association, input), input),
    planUpdate: (ref, input) => planUpdate(context, ref, input),
  };
}

function planLink(
  context: WriteContext,
  association: MirageAssociation,
  given: { readonly key: string; readonly value: unknown; readonly owner: InputOwner },
): PlannedLink {
  const { key, value, owner } = given;
  const nested = key === fieldNameOf(association)
    ? context.nested?.planLink(nestedOwner(context, association, owner), value)
    : undefined;
  if (nested !== undefined) return { association, ...nested };
  const items: unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
  if (association.type === "belongsTo" && Array.isArray(value)) {
    throw writeError(
      `Cannot write "${key}" of ${labelOfModel(context, association.ownerModelName)}: ` +
        "it takes one record, and the input has a list",
    );
  }
  const targets = items.map((item) => {
    const isNested = key === fieldNameOf(association) && isPlainObject(item) &&
      (!association.isPolymorphic || context.nested !== undefined && !isTypeAndId(item));
    return isNested
      ? planNested(context, association, item)
      : relatedRecord(context, association, { key, value: item });
  });
  return { association, targets };
}

/** An input object for a relation: a record to create, or one to update and link. */
function planNested(
  context: WriteContext,
  association: MirageAssociation,
  input: WriteInput,
): RecordRef | WritePlan {
  const modelName = modelFor(context, association, input);
  const id = givenId(context, modelName, input);
  if (id === undefined) return planCreate(context, modelName, input);
  const ref = { modelName, id };
  if (hasRecord(context.mirageSchema, ref)) return planUpdate(context, ref, input);
  const hasMore = Object.entries(input).some(([key, value]) => key !== "id" && value !== undefined);
  return hasMore
    ? planCreate(context, modelName, input)
    : relatedRecord(context, association, { key: fieldNameOf(association), value: id });
}

/**
 * Finds the association that a key of an input refers to: by its name, or by its foreign key in any
 * casing, such as `author_id`.
 */
function associationFinder(
  { mirageSchema, models }: WriteContext,
  modelName: string,
): (key: string) => MirageAssociation | undefined {
  const associations = mirageSchema.associationsFor(modelName);
  const model = models.ofModel(modelName);
  if (model !== undefined) {
    return (key) => associations[relationNamed(model, key)?.association ?? ""];
  }
  return (key) =>
    Object.values(associations).find(({ name, foreignKey }) => name === key || foreignKey === key);
}

function givenId(
  context: WriteContext,
  modelName: string,
  { id }: WriteInput,
): string | undefined {
  return id === undefined || id === null ? undefined : storedId(context, modelName, id);
}

/** Rejects a new record under the global id of another type. */
function checkOwnType(context: WriteContext, modelName: string, id: string): void {
  const other = otherTypeOf(context, [], id);
  if (other === undefined) return;
  const label = labelOfModel(context, modelName);
  throw writeError(`Cannot create ${label} "${id}": it is the id of a ${other}`);
}

function givenTwice(
  context: WriteContext,
  { ownerModelName }: MirageAssociation,
  [one, other]: readonly [string, string],
): Error {
  return writeError(
    `Cannot write "${one}" and "${other}" of ${labelOfModel(context, ownerModelName)}: ` +
      "both name the same relation",
  );
}

/**
 * Replaces uploaded files with their URLs, in lists too, and adds their names where the type has
 * a field for them: `<field>Name` or `filename`.
 */
function storeFiles(
  context: WriteContext,
  modelName: string,
  attributes: Record<string, unknown>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const [file] = values.filter(isFile);
    if (file === undefined) continue;
    attributes[name] = Array.isArray(value) ? values.map(toUrl) : toUrl(value);
    const nameField = [`${name}Name`, "filename"].find((field) =>
      isLeafField(context, modelName, field)
    );
    if (nameField !== undefined && isGiven(file.name)) attributes[nameField] ??= file.name;
  }
}

function isFile(value: unknown): value is Blob & { readonly name?: string } {
  return typeof Blob === "function" && value instanceof Blob;
}

function toUrl(value: unknown): unknown {
  return isFile(value) ? urlOf(value) : value;
}

function isGiven(name: string | undefined): name is string {
  return name !== undefined && name !== "";
}

function isLeafField(context: WriteContext, modelName: string, name: string): boolean {
  const field = fieldOf(context.graphQLSchema, labelOfModel(context, modelName), name);
  return field !== undefined && isLeafType(getNamedType(field.type));
}
