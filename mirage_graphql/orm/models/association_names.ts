import { belongsTo, hasMany, Model } from "miragejs";
import { isMirageAssociation } from "../mirage/mirage_schema.ts";

/** A relation, named by its field. */
interface RelationName {
  readonly name: string;
  readonly isList: boolean;
}

/**
 * Names the associations of one model like their fields, unless Mirage's models have a member of
 * that name, or another association adds one; then `attrsRelation`. That two add one method, as
 * `pet` and `pets` both add `newPet`, changes no name: Mirage keeps one of them.
 */
export function nameAssociations(relations: readonly RelationName[]): ReadonlyMap<string, string> {
  const names = new Map(relations.map(({ name }) => [name, name]));
  const taken: Members = new Map();
  // `author` adds `authorId` and `newAuthor`, so relations of these names come after it
  for (const relation of [...relations].sort((a, b) => a.name.length - b.name.length)) {
    let { name } = relation;
    while (!isFree(name, membersOf(name, relation), taken)) {
      do name += "Relation"; while (names.has(name));
    }
    names.set(relation.name, name);
    membersOf(name, relation).forEach((isMethod, member) => taken.set(member, isMethod));
  }
  return names;
}

/** Names of a model's members, and whether each is only a method that Mirage adds. */
type Members = Map<string, boolean>;

function isFree(name: string, members: Members, taken: Members): boolean {
  return !isModelMember(name) &&
    [...members].every(([one, isMethod]) => !taken.has(one) || isMethod && taken.get(one));
}

/** What a model has of an association: `author`, `authorId`, `newAuthor`, `createAuthor`. */
function membersOf(name: string, relation: RelationName): Members {
  const key = foreignKeyOf(name, relation);
  const stem = key.replace(/Ids?$/, "");
  const capitalized = stem.charAt(0).toUpperCase() + stem.slice(1);
  return new Map([
    [name, false],
    [key, false],
    [`new${capitalized}`, true],
    [`create${capitalized}`, true],
  ]);
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
