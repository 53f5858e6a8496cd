import { Model } from "miragejs";
import type { MirageAssociation } from "./mirage.ts";

/** Members that Mirage's models have beside those of their prototype. */
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
 * Refuses relations that Mirage can't tell apart, or that would hide a member of its models.
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

/** Tells a name that each Mirage model has a member of, which an attribute of the name hides behind. */
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
