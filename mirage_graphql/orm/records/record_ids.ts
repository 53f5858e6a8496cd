import type { ResolvedConventions } from "../../dialects/options.ts";
import { type IdFormat, parseGlobalId, toGlobalId, toLocalIds } from "../../relay/global_id.ts";
import type { MockModel, ModelMap, Relation } from "../models/model_map.ts";
import { isObject } from "../../shared/values.ts";

/** What determines the ids in responses. */
export interface IdContext {
  /** Ids are local without it. */
  readonly conventions?: ResolvedConventions;
}

/** The form of ids in responses. */
export function idFormatOf({ conventions }: IdContext): IdFormat {
  return conventions?.idFormat ?? "local";
}

/** Converts a stored id to its form in responses; `null` is returned unchanged. */
export function toResponseId(
  context: IdContext,
  model: MockModel | undefined,
  id: unknown,
): unknown {
  const format = idFormatOf(context);
  const isPlain = format === "local" || model === undefined || id === null || id === undefined;
  return isPlain ? id : toGlobalId(format, model.typeName, String(id));
}

/**
 * Converts an id in a request to that of a model's table; ids of other types match nothing there.
 */
export function toTableId(context: IdContext, { typeName }: MockModel, id: unknown): unknown {
  return toLocalIds(idFormatOf(context), typeName, id);
}

/**
 * The value of the field that identifies a record, which is derived from its `id` if it has none.
 */
export function readKey(
  context: IdContext,
  { key, typeName }: MockModel,
  record: Readonly<Record<string, unknown>>,
): unknown {
  const own = key && record[key.name];
  const { id } = record;
  if (key === undefined || id === undefined || (own !== undefined && own !== null)) return own;
  const format = idFormatOf(context);
  if (!key.isGlobal) return id;
  return toGlobalId(format === "local" ? "global-base64" : format, typeName, String(id));
}

interface ModelContext extends IdContext {
  readonly models: ModelMap;
}

/** The type in a global id, unless it is one of the requested ones. */
export function otherTypeOf(
  context: ModelContext,
  typeNames: readonly string[],
  id: unknown,
): string | undefined {
  const { typeName = "" } = parseGlobalId(idFormatOf(context), String(id)) ?? {};
  return typeNames.includes(typeName) ? undefined : context.models.ofType(typeName)?.typeName;
}

/** Describes, in an error, an id that no record of some types has. */
export function noRecordState(
  context: ModelContext,
  typeNames: readonly string[],
  id: unknown,
): string {
  const other = otherTypeOf(context, typeNames, id);
  return other === undefined ? "there is no record with this id" : `it is the id of a ${other}`;
}

/**
 * The value by which responses identify a record: its id, or the field that its type has instead.
 */
export function responseIdOf(
  context: IdContext,
  model: MockModel,
  record: Readonly<Record<string, unknown>>,
): unknown {
  return model.key === undefined
    ? toResponseId(context, model, record.id)
    : readKey(context, model, record);
}

/** A record to which a foreign key refers. */
export interface KeyTarget {
  readonly id: unknown;
  /** `undefined` if no GraphQL type has its model. */
  readonly model: MockModel | undefined;
}

/** The record to which an id in a foreign key refers: a plain one, `{ type, id }`, or a model. */
export function keyTarget(
  { models }: ModelContext,
  relation: Relation | undefined,
  key: unknown,
): KeyTarget {
  const id = isObject(key) ? key.id : key;
  const name = isObject(key) ? key.type ?? key.modelName : relation?.modelName;
  return { id, model: typeof name === "string" ? models.ofModel(name) : undefined };
}
