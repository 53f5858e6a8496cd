import type { MirageSchema, MirageTable } from "./mirage.ts";

/**
 * The table that holds the records of a model.
 *
 * @throws {RangeError} Where the database has none.
 */
export function tableOf(mirageSchema: MirageSchema, modelName: string): MirageTable {
  const name = mirageSchema.toCollectionName(modelName);
  const table = mirageSchema.db._collections.find((collection) => collection.name === name);
  if (table === undefined) {
    throw new RangeError(`Cannot use table "${name}": Mirage's database has none for ${modelName}`);
  }
  return table;
}
