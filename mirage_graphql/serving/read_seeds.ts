import { type GraphQLFieldMap, type GraphQLObjectType, isObjectType } from "graphql";
import { keyOf } from "../shared/names.ts";
import { isMap } from "../shared/values.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { checkComplete, checkValue, fault, type Located, unknownName } from "./check_value.ts";
import { ServeError } from "./serve_error.ts";

/**
 * Parses the records of a seed file, as {@linkcode readSeeds} reads them.
 *
 * @throws {ServeError} If it is not JSON, or a value doesn't fit its type.
 */
export function parseSeeds(orm: Orm, text: string): SeedRecord[] {
  return readSeeds(orm, parseFile(text));
}

/**
 * Reads records: lists by type, model or collection. A relation is an id, a list of ids, or nested
 * records, under its own name or that of its foreign key.
 *
 * @throws {ServeError} If a value doesn't fit its type; the message contains its path, such as
 * `people[0].name`.
 */
export function readSeeds(orm: Orm, lists: object): SeedRecord[] {
  const rows: SeedRecord[] = [];
  for (const [name, value] of Object.entries(lists)) {
    const model = modelNamed(orm, name);
    if (!Array.isArray(value)) throw fault(name, "it must be a list of records");
    value.forEach((one, index) => {
      readRow({ orm, rows }, model, { value: one, path: `${name}[${index}]` });
    });
  }
  return rows;
}

function parseFile(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ServeError(`Cannot read it as JSON: ${message}`, { cause });
  }
  if (isMap(value)) return value;
  throw new ServeError("Cannot read it: it must be an object with lists of records");
}

/** What all records of a file share. */
interface Reading {
  readonly orm: Orm;
  /** The records so far, including nested ones. */
  readonly rows: SeedRecord[];
}

function readRow(reading: Reading, model: MockModel, { value, path }: Located): SeedRecord {
  if (!isMap(value)) throw fault(path, "it must be an object");
  const type = reading.orm.graphQLSchema.getType(model.typeName);
  if (!isObjectType(type)) throw fault(path, `${model.typeName} is not a type with fields`);
  const attributes: Record<string, unknown> = {};
  const links: SeedLink[] = [];
  const row = { model, attributes, links, path };
  reading.rows.push(row);
  for (const [name, one] of Object.entries(value)) {
    const at = { value: one, path: `${path}.${name}` };
    const relation = relationNamed(model, name);
    if (name === "__typename") continue;
    if (relation === undefined) attributes[name] = readAttribute(reading, type, { ...at, name });
    else if (one !== null) links.push(readLink(reading, model, relation, at));
  }
  if (reading.orm.completion === undefined) checkComplete(type, model, { value, path });
  return row;
}

function readLink(
  reading: Reading,
  model: MockModel,
  relation: Relation,
  { value, path }: Located,
): SeedLink {
  if (Array.isArray(value) !== relation.isList) {
    throw fault(path, relation.isList ? "it must be a list" : "it must be one, not a list");
  }
  const items = Array.isArray(value) ? value : [value];
  const targets = items.map((item, index) => {
    const at = { value: item, path: relation.isList ? `${path}[${index}]` : path };
    return readTarget(reading, model, relation, at);
  });
  return { relation, targets, path };
}

function readTarget(
  reading: Reading,
  owner: MockModel,
  relation: Relation,
  { value, path }: Located,
): SeedTarget {
  const { orm } = reading;
  const isReference = typeof value === "string" || typeof value === "number";
  const given = isReference ? { id: value } : value;
  if (!isMap(given)) throw fault(path, "it must be an id or a record");
  const { id, __typename, type, ...others } = given;
  const typeName = __typename ?? (relation.modelName === undefined ? type : undefined);
  const modelName = typeName === undefined
    ? relation.modelName
    : modelNamed(orm, String(typeName), path).modelName;
  const model = modelName === undefined ? undefined : orm.models.ofModel(modelName);
  if (model === undefined) {
    throw fault(
      path,
      `${owner.typeName}.${relation.name} may lead to several types: give the ` +
        '"__typename" in addition to the id',
    );
  }
  const isOnlyId = id !== undefined && Object.keys(others).length === 0;
  if (!isOnlyId) return readRow(reading, model, { value: given, path });
  return { id: String(id), type: model.modelName };
}

function modelNamed({ models }: Orm, name: string, path = name): MockModel {
  const key = keyOf(name);
  const found = models.models.find(({ typeName, modelName, collectionName }) =>
    [typeName, modelName, collectionName].some((one) => keyOf(one) === key)
  );
  if (found !== undefined) return found;
  const known = models.models.flatMap(({ typeName, collectionName }) => [collectionName, typeName]);
  throw unknownName({ value: name, path }, "no type with records is named", known);
}

/** Parses one attribute of a record, which must be a field of its type and fit it. */
function readAttribute(
  { orm }: Reading,
  type: GraphQLObjectType,
  { name, value, path }: Located & { readonly name: string },
): unknown {
  if (name === "id") {
    if (typeof value === "string" || typeof value === "number") return String(value);
    throw fault(path, "an id is a text or a number");
  }
  const fields: GraphQLFieldMap<unknown, unknown> = type.getFields();
  const field = fields[name];
  if (field === undefined) {
    const known = Object.keys(fields);
    throw unknownName({ value: name, path }, `${type.name} has no field`, known);
  }
  checkValue(field.type, { value, path }, { isPartial: orm.completion !== undefined });
  return value;
}

/** A record to create, with its position in the seed file. */
export interface SeedRecord {
  readonly model: MockModel;
  /** Its attributes, including an `id` if it has one. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly SeedLink[];
  /** Its path in the file, such as `people[0].posts[1]`. */
  readonly path: string;
}

/** The targets of one relation of a record. */
export interface SeedLink {
  readonly relation: Relation;
  readonly targets: readonly SeedTarget[];
  readonly path: string;
}

/** Another record to create, or an id, with the type if that may vary. */
export type SeedTarget = SeedRecord | { readonly id: string; readonly type?: string };

/** Whether a target is a record to create. */
export function isSeedRecord(target: SeedTarget): target is SeedRecord {
  return "model" in target;
}
