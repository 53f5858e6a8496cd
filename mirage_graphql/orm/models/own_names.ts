import { camelize, keyOf } from "../../shared/names.ts";
import type { GraphQLObjectType } from "graphql";
import type { MirageSchema } from "../mirage/mirage_schema.ts";
import { toModelName } from "../mirage/model_names.ts";
import type { TypedModel } from "./relation_fields.ts";

/** Names that every object inherits: Mirage looks models up in plain objects. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).map(keyOf));

/** The names in one server of models and tables that Mirage's own rules would confuse. */
interface OwnNames {
  /** Model names by type. */
  readonly models: Map<string, string>;
  /** Names of tables by {@linkcode keyOf} of the model. */
  readonly tables: Map<string, string>;
}

const namesOfServers = new WeakMap<MirageSchema, OwnNames>();

function ownNamesOf(mirageSchema: MirageSchema): OwnNames {
  const known = namesOfServers.get(mirageSchema) ?? { models: new Map(), tables: new Map() };
  namesOfServers.set(mirageSchema, known);
  return known;
}

/**
 * The model of each type, of which no two share one: a registered model, whatever the casing of its
 * name, or a new one. A type whose name is taken, or which Mirage can't look up, gets a model such
 * as `constructor-type`; the same one each time.
 */
export function nameModels(
  mirageSchema: MirageSchema,
  types: readonly GraphQLObjectType[],
  registered: readonly string[],
): TypedModel[] {
  const { models } = ownNamesOf(mirageSchema);
  const named = new Map<string, string>();
  const free = new Set(registered);
  const claim = (find: (typeName: string) => string | undefined) => {
    for (const { name } of types) {
      const modelName = named.has(name) ? undefined : find(name);
      if (modelName !== undefined && free.delete(modelName)) named.set(name, modelName);
    }
  };
  claim((typeName) => models.get(typeName));
  claim(toModelName);
  const byKey = new Map(registered.map((modelName) => [keyOf(modelName), modelName]));
  claim((typeName) => byKey.get(keyOf(typeName)));
  const taken = new Set([...INHERITED, ...byKey.keys()]);
  for (const { name } of types) {
    if (!named.has(name)) named.set(name, newModelName(name, taken));
  }
  return types.map((type) => {
    const modelName = named.get(type.name) ?? toModelName(type.name);
    models.set(type.name, modelName);
    return { type, modelName };
  });
}

function newModelName(typeName: string, taken: Set<string>): string {
  let modelName = toModelName(typeName) || "type";
  while (taken.has(keyOf(modelName))) modelName += "-type";
  taken.add(keyOf(modelName));
  return modelName;
}

/**
 * Gives each model to be registered its own table. If Mirage's rules result in the table of another
 * model, or in a name that would hide a member of Mirage, the table is named after the model, such
 * as `collectionRecords`, for this server alone.
 *
 * @param missing The models that Mirage has not registered yet.
 * @param registered The registered models.
 */
export function nameTables(
  mirageSchema: MirageSchema,
  missing: readonly TypedModel[],
  registered: readonly string[],
): void {
  const tables = new Map<string, string>();
  const taken = new Set(registered.map((modelName) => mirageSchema.toCollectionName(modelName)));
  const isFree = (table: string) => !taken.has(table) && !isMember(mirageSchema, table);
  const planned = missing.map(({ modelName }) => {
    const table = mirageSchema.toCollectionName(modelName);
    return { modelName, own: camelize(modelName), table };
  });
  // `Card` keeps the table "cards", not `Cards`
  for (const isPlural of [false, true]) {
    for (
      const { modelName, own, table } of planned.filter((one) => one.own === one.table === isPlural)
    ) {
      let name = table;
      if (!isFree(name)) name = `${own}Records`;
      while (!isFree(name)) name += "Records";
      taken.add(name);
      if (name !== table) tables.set(keyOf(modelName), name);
    }
  }
  if (tables.size > 0) useTables(mirageSchema, tables);
}

/** Whether a table of that name would hide a member of Mirage's schema or database. */
function isMember(mirageSchema: MirageSchema, table: string): boolean {
  const { db } = mirageSchema;
  if (table in mirageSchema) return true;
  const isThere = table in db || `_${table}` in db;
  return isThere && !db._collections.some(({ name }) => name === table);
}

/** Mirage caches the names of tables for all servers, so that both methods are replaced. */
function useTables(mirageSchema: MirageSchema, added: ReadonlyMap<string, string>): void {
  const { tables } = ownNamesOf(mirageSchema);
  const isFirst = tables.size === 0;
  for (const [key, table] of added) tables.set(key, table);
  if (!isFirst) return;
  const toCollectionName = mirageSchema.toCollectionName.bind(mirageSchema);
  const ownOr = (name: string) => tables.get(keyOf(name)) ?? toCollectionName(name);
  Object.assign(mirageSchema, {
    toCollectionName: ownOr,
    toInternalCollectionName: (name: string) => `_${ownOr(name)}`,
  });
}
