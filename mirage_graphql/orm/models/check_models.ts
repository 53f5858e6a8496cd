import type { TypedModel } from "./relation_fields.ts";
import type { MirageSchema } from "../mirage.ts";
import { nameKey } from "./model_names.ts";

/** Tables whose way in, `db._collections`, would overwrite what Mirage's database keeps there. */
const OVERWRITTEN = new Set(["collections", "identityManagers"]);

/** Names under which Mirage, which looks models up in plain objects, finds something else. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).map(nameKey));

/** What stands for a model in an error: its type, or the host's model that has none. */
type Owner = { readonly label: string; readonly modelName: string };

/**
 * Refuses types that Mirage would keep in one model or one table, and those whose model or table has
 * a name that Mirage uses for something else.
 *
 * @param typed All types with a model.
 * @param registered The models that Mirage has already.
 * @throws {RangeError} It names the types and the table.
 */
export function checkTables(
  mirageSchema: MirageSchema,
  typed: readonly TypedModel[],
  registered: readonly string[],
): void {
  const known = new Set(registered);
  const ofTypes = new Set(typed.map(({ modelName }) => modelName));
  const owners: Owner[] = [
    ...registered.filter((modelName) => !ofTypes.has(modelName))
      .map((modelName) => ({ label: `the model "${modelName}"`, modelName })),
    ...typed.map(({ type, modelName }) => ({ label: `the type "${type.name}"`, modelName })),
  ];
  const byTable = new Map<string, Owner>();
  for (const owner of owners) {
    if (INHERITED.has(nameKey(owner.modelName))) {
      throw new RangeError(
        `Cannot keep ${owner.label} in Mirage: every object has a member of that name, which ` +
          "Mirage takes for the model",
      );
    }
    const table = mirageSchema.toCollectionName(owner.modelName);
    const other = byTable.get(table);
    if (other !== undefined) throw new RangeError(sharedText(other, owner, table));
    if (OVERWRITTEN.has(table) || !known.has(owner.modelName) && isTaken(mirageSchema, table)) {
      throw new RangeError(
        `Cannot keep ${owner.label} in Mirage: the name "${table}" of its table is Mirage's own. ` +
          "Give createServer() an `inflector` whose pluralize() makes another one",
      );
    }
    byTable.set(table, owner);
  }
}

function isTaken(mirageSchema: MirageSchema, table: string): boolean {
  return table in mirageSchema ||
    table in mirageSchema.db && !mirageSchema.db._collections.some(({ name }) => name === table);
}

function sharedText(a: Owner, b: Owner, table: string): string {
  return `Cannot keep ${a.label} and ${b.label} in Mirage: both would be in the table "${table}"`;
}
