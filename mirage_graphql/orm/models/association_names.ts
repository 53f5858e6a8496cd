import { belongsTo, hasMany, Model } from "miragejs";
import { isMirageAssociation } from "../mirage.ts";

/** A relation, named by its field. */
interface RelationName {
  readonly name: string;
  readonly isList: boolean;
}

/**
 * Names the associations of one model like their fields, unless Mirage's models have a member of
 * that name, or another association adds one; then `attrsRelation`.
 */
export function nameAssociations(relations: readonly RelationName[]): ReadonlyMap<string, string> {
  const brought = new Set(relations.flatMap((one) => membersOf(foreignKeyOf(one.name, one))));
  const taken = new Set(relations.map(({ name }) => name).filter((name) => !brought.has(name)));
  const names = new Map<string, string>();
  // `author` adds `authorId` and `newAuthor`, so relations of these names come last
  for (const isBrought of [false, true]) {
    for (const relation of relations.filter(({ name }) => brought.has(name) === isBrought)) {
      if (!isBrought) taken.delete(relation.name);
      const association = freeName(relation, taken);
      names.set(relation.name, association);
      taken.add(relation.name).add(association);
      membersOf(foreignKeyOf(association, relation)).forEach((member) => taken.add(member));
    }
  }
  return names;
}

function freeName(relation: RelationName, taken: ReadonlySet<string>): string {
  const isFree = (name: string) =>
    !isModelMember(name) &&
    [name, ...membersOf(foreignKeyOf(name, relation))].every((one) => !taken.has(one));
  let { name } = relation;
  while (!isFree(name)) name += "Relation";
  return name;
}

/** What Mirage adds to a model for an association: `authorId`, `newAuthor`, `createAuthor`. */
function membersOf(foreignKey: string): string[] {
  const stem = foreignKey.replace(/Ids?$/, "");
  const capitalized = stem.charAt(0).toUpperCase() + stem.slice(1);
  return [foreignKey, `new${capitalized}`, `create${capitalized}`];
}

function foreignKeyOf(name: string, { isList }: Pick<RelationName, "isList">): string {
  const association: unknown = isList ? hasMany("model", {}) : belongsTo("model", {});
  if (!isMirageAssociation(association)) return name;
  return Object.assign(association, { name }).foreignKey;
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

/** Whether each Mirage model has a member of that name, which hides an attribute of the name. */
export function isModelMember(name: string): boolean {
  const prototype: unknown = Reflect.get(Model, "prototype");
  return MEMBERS.has(name) ||
    typeof prototype === "object" && prototype !== null && name in prototype;
}
