import { Model } from "miragejs";
import type { MirageAssociation, MirageSchema } from "../mirage.ts";
import { nameKey } from "./model_names.ts";
import type { TypedModel } from "./relation_fields.ts";

/** Tables whose accessor, `db._collections`, would overwrite a member of Mirage's database. */
const OVERWRITTEN = new Set(["collections", "identityManagers"]);

/** Names that every object inherits: Mirage looks models up in plain objects. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).map(nameKey));

/** How an error names a model: by its type, or by a user-defined model without one. */
type Owner = { readonly label: string; readonly modelName: string };

/**
 * Rejects types that would share one model or one table of Mirage, and those whose model or table
 * has a name that Mirage uses for something else.
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

/** Members of Mirage's models that their prototype doesn't have. */
const MEMBERS = new Set([
  "attrs",
  "fks",
  "id",
  "modelName",
  "associationKeys",
  "associationIdKeys",
  "belongsToAssociations",
  "belongsToAssociationFks",
  "dependentAssociations",
  "hasManyAssociations",
  "hasManyAssociationFks",
]);

/**
 * Rejects relations that Mirage can't tell apart, or that would hide a member of its models.
 *
 * @throws {RangeError} It names the fields and says what to do.
 */
export function checkRelations(
  typeName: string,
  associations: readonly MirageAssociation[],
): void {
  const taken = new Map<string, string>();
  for (const { name } of associations) {
    if (isModelMember(name)) throw new RangeError(hiddenText(typeName, name));
    taken.set(name, name);
  }
  for (const { name, foreignKey } of associations) {
    for (const member of membersOf(foreignKey)) {
      const other = taken.get(member);
      if (other !== undefined) throw new RangeError(clashText(typeName, [other, name], member));
    }
    taken.set(foreignKey, name);
  }
}

/** What Mirage adds to a model for an association: `authorId`, `newAuthor`, `createAuthor`. */
function membersOf(foreignKey: string): string[] {
  const stem = foreignKey.replace(/Ids?$/, "");
  const capitalized = stem.charAt(0).toUpperCase() + stem.slice(1);
  return [foreignKey, `new${capitalized}`, `create${capitalized}`];
}

/** Whether each Mirage model has a member of that name, which hides an attribute of the name. */
export function isModelMember(name: string): boolean {
  const prototype: unknown = Reflect.get(Model, "prototype");
  return MEMBERS.has(name) ||
    typeof prototype === "object" && prototype !== null && name in prototype;
}

function hiddenText(typeName: string, name: string): string {
  return `Cannot make "${typeName}.${name}" a relation: Mirage's models have a member "${name}". ` +
    `Define the model of "${typeName}" without it, and write a resolver for the field`;
}

function clashText(typeName: string, [other, name]: readonly [string, string], member: string) {
  return `Cannot make "${typeName}.${other}" and "${typeName}.${name}" relations: Mirage uses ` +
    `"${member}" for both. Define the model of "${typeName}" with one of them, and write a ` +
    "resolver for the other";
}
