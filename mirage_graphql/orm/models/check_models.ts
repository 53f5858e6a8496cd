import type { MirageSchema } from "../mirage.ts";
import type { TypedModel } from "./relation_fields.ts";

/** Tables whose accessor, `db._collections`, would overwrite a member of Mirage's database. */
const OVERWRITTEN = new Set(["collections", "identityManagers"]);

/**
 * Rejects user-defined models whose table hides a member of Mirage's database. Models that the
 * library registers get separate tables.
 *
 * @param registered The models that are already registered.
 * @throws {RangeError} It names the type or model, and the table.
 */
export function checkTables(
  mirageSchema: MirageSchema,
  typed: readonly TypedModel[],
  registered: readonly string[],
): void {
  for (const modelName of registered) {
    const table = mirageSchema.toCollectionName(modelName);
    if (!OVERWRITTEN.has(table)) continue;
    const type = typed.find((one) => one.modelName === modelName)?.type;
    const label = type === undefined ? `the model "${modelName}"` : `the type "${type.name}"`;
    throw new RangeError(
      `Cannot keep ${label} in Mirage: the name "${table}" of its table is Mirage's own. ` +
        "Give createServer() an `inflector` whose pluralize() returns another one",
    );
  }
}
