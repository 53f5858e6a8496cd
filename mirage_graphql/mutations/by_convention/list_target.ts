import { getNamedType, type GraphQLField, isInputObjectType, isNonNullType } from "graphql";
import { hasField, type MockModel, type Relation } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { allowedModels } from "../../orm/writes/related_record.ts";
import { isList } from "../../schema/types.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import type { ArgumentPath, InputLeaf } from "../mutation_input.ts";
import type { TypedField } from "../typed_intent.ts";
import { currentRecord } from "./current_record.ts";
import { keyNamed } from "./references.ts";
import { returnedModels } from "./returned_models.ts";

type Field = GraphQLField<unknown, unknown>;

/** What a mutation does to the records of a list. */
export type ListAction = "add" | "update" | "remove" | "set";

/** A list of a record, and how a call says what to do to it. */
export interface ListTarget {
  readonly owner: MockModel;
  readonly relation: Relation;
  readonly model: MockModel;
  /**
   * The arguments that refer to the owner, or to several, of which a call has one; without any, it
   * belongs to whoever calls.
   */
  readonly ownerLeaves: readonly (InputLeaf & { readonly key: string })[];
  readonly items: ListItems;
  readonly action: ListAction;
}

/** Where the items are in the arguments. */
type ListItems =
  | { readonly form: "objects"; readonly path: ArgumentPath; readonly hasId: boolean }
  | { readonly form: "ids"; readonly path: ArgumentPath }
  | { readonly form: "flat"; readonly leaves: readonly InputLeaf[] };

/**
 * The list that a mutation is about: the only one that its arguments have items for, and that its
 * name says, of the record that it returns. `undefined` if there is no such list.
 */
export function listTarget(
  orm: Orm,
  { field, names, verb }: TypedField,
): ListTarget | undefined {
  const action = actionOf(field.name, names.words, verb);
  if (action === undefined) return undefined;
  const found = targetsOf(orm, field);
  const targets = (found.length > 0 ? found : heldBySeveral(orm, field))
    .map((target) => ({ ...target, action }))
    .filter((target) => fits(orm, target) && saysNoMore(orm, names, field.name, target));
  const named = targets.length > 1 ? targets.filter((one) => isNamed(field.name, one)) : targets;
  const [target, ...others] = named;
  return others.length === 0 ? target : undefined;
}

function actionOf(
  name: string,
  words: TypedField["names"]["words"],
  verb: TypedField["verb"],
): ListAction | undefined {
  const own = wordsOf(name);
  if (verb === "create") return "add";
  if (verb === "delete") return "remove";
  if (own.some((word) => words.is("reorder", word))) return "set";
  if (own[0] === "set" || own.at(-1) === "set") return "set";
  const isChange = [own[0], own.at(-1)].some((word) => words.is("change", word));
  return verb === "update" || isChange ? "update" : undefined;
}

/** Every list that the arguments of a mutation can be about. */
function targetsOf(orm: Orm, field: Field): Omit<ListTarget, "action">[] {
  const returned = returnedModels(orm, field.type);
  const inputs = itemInputs(field);
  const owners = returned.models.length > 0 ? returned.models : orm.models.models;
  return owners.flatMap((owner) => {
    const ownerLeaves = ownerLeavesOf(orm, owner, inputs, returned.models.length > 0);
    const hasOwner = ownerLeaves.length > 0 ||
      returned.models.length > 0 && currentRecord(orm, owner) !== undefined;
    if (!hasOwner) return [];
    const others = inputs.filter(({ name }) => ownerLeaves.every((leaf) => leaf.name !== name));
    return [...owner.relations.values()].flatMap((relation): Omit<ListTarget, "action">[] => {
      const model = orm.models.ofModel(relation.modelName ?? memberOf(orm, owner, relation) ?? "");
      if (!relation.isList || model === undefined || returned.models.includes(model)) return [];
      const items = itemsOf(orm, { relation, model }, others);
      return items === undefined ? [] : [{ owner, relation, model, ownerLeaves, items }];
    });
  });
}

/**
 * The lists of several records to which one record is added, where that has no list of them itself:
 * `galleries` of each image in `addGalleryImages(galleryId, imageIds)`.
 */
function heldBySeveral(orm: Orm, field: Field): Omit<ListTarget, "action">[] {
  const [item, leaf, ...others] = itemInputs(field)
    .toSorted((one, other) => Number(isList(one.type)) - Number(isList(other.type)));
  if (!item || !leaf || others.length > 0) return [];
  const isOf = ({ name, type }: InputLeaf, model: MockModel, ids: string) =>
    isNonNullType(type) && keyOf(name) === keyOf(model.typeName + ids);
  return orm.models.models.filter((owner) => isOf(leaf, owner, "ids")).flatMap((owner) =>
    [...owner.relations.values()].flatMap((relation) => {
      const model = orm.models.ofModel(relation.modelName ?? "");
      if (!model || !relation.isList || !isOf(item, model, "id")) return [];
      const items = { form: "ids" as const, path: item.path };
      return [{ owner, relation, model, ownerLeaves: [{ ...leaf, key: "id" }], items }];
    })
  );
}

/** The first of the models of which a list of an abstract type may have records. */
function memberOf(orm: Orm, owner: MockModel, { association }: Relation): string | undefined {
  const found = orm.mirageSchema.associationsFor(owner.modelName)[association];
  return found && allowedModels(orm, found)[0];
}

/** The arguments, or the fields of the only one that takes an object. */
function itemInputs({ args }: Field): readonly InputLeaf[] {
  const [only, ...others] = args;
  const named = only && getNamedType(only.type);
  const isWhole = only !== undefined && others.length === 0 && isInputObjectType(named) &&
    !isList(only.type);
  const inputs = isWhole
    ? Object.values(named.getFields()).map(({ name, type }): InputLeaf => ({
      ...{ name, type },
      path: [only.name, name],
    }))
    : args.map(({ name, type }): InputLeaf => ({ name, type, path: [name] }));
  return inputs.filter(({ name }) => name !== "clientMutationId");
}

/** The first argument that refers to an owner, and the optional ones that may be given instead. */
function ownerLeavesOf(
  orm: Orm,
  owner: MockModel,
  inputs: readonly InputLeaf[],
  isReturned: boolean,
): ListTarget["ownerLeaves"] {
  const leaves = inputs.flatMap((input): ListTarget["ownerLeaves"] => {
    if (isInputObjectType(getNamedType(input.type)) || isList(input.type)) return [];
    const key = isReturned && input.name === "id" ? "id" : keyNamed(orm, owner, input.name);
    const isWhole = keyOf(input.name) === keyOf(owner.typeName + key);
    return key !== undefined && (isReturned || isWhole) ? [{ ...input, key }] : [];
  });
  const areOptional = leaves.every(({ type }) => !isNonNullType(type));
  return areOptional ? leaves : leaves.slice(0, 1);
}

/** How the other arguments say which records of a list they are about; `undefined` if they don't. */
function itemsOf(
  orm: Orm,
  list: { readonly relation: Relation; readonly model: MockModel },
  inputs: readonly InputLeaf[],
): ListItems | undefined {
  const isObject = ({ type }: InputLeaf) => isInputObjectType(getNamedType(type));
  const [only, ...others] = inputs.toSorted((one, other) =>
    Number(isObject(other)) - Number(isObject(one))
  );
  if (only === undefined) return undefined;
  const type = getNamedType(only.type);
  const isRest = others.every((input) => !isNonNullType(input.type));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const known = fields.filter(({ name }) => hasField(orm.graphQLSchema, list.model, name));
    const isFilled = known.length > 0 &&
      fields.every((field) =>
        known.includes(field) || isItemId(orm, list, field.name) || !isNonNullType(field.type)
      );
    const hasId = fields.some(({ name }) => name === "id" || isItemId(orm, list, name));
    return isFilled && isRest ? { form: "objects", path: only.path, hasId } : undefined;
  }
  const areLeaves = inputs.every((input) => !isInputObjectType(getNamedType(input.type)));
  if (!areLeaves) return undefined;
  if (isRest && isItemId(orm, list, only.name)) {
    const isAlone = others.every(({ name }) => !hasField(orm.graphQLSchema, list.model, name));
    if (isAlone) return { form: "ids", path: only.path };
  }
  const isFlat = inputs.every(({ name, type }) =>
    !isList(type) && (isItemId(orm, list, name) ||
      hasField(orm.graphQLSchema, list.model, name) && name !== "id")
  );
  return isFlat ? { form: "flat", leaves: inputs } : undefined;
}

/** Whether a name is that of the ids of a list's records: `lineIds` for `lines: [CartLine!]!`. */
export function isItemId(
  orm: Orm,
  { relation, model }: { readonly relation: Relation; readonly model: MockModel },
  name: string,
): boolean {
  if (keyNamed(orm, model, name) === "id") return true;
  const stem = /^(.+)ids?$/.exec(keyOf(name))?.[1];
  const list = keyOf(relation.name);
  return stem !== undefined && (stem === list || `${stem}s` === list);
}

function fits(orm: Orm, target: ListTarget): boolean {
  const { action, items } = target;
  switch (items.form) {
    case "ids":
      return action !== "update";
    case "objects":
      return action === "add" || action === "update" && items.hasId;
    case "flat": {
      const hasId = items.leaves.some(({ name }) => isItemId(orm, target, name));
      return action === "add" && !hasId ||
        action === "update" && hasId && items.leaves.length > 1 ||
        action === "remove" && !hasId;
    }
  }
}

/** Words for the records of a list that its type may not have. */
const ITEM = /^(item|line|entry|element)$/;

/**
 * Whether a name says that the list is meant, and nothing else: not `addEnterpriseSupport` for the
 * `organizations` of an `Enterprise`, nor `createCart` for its lines.
 */
function saysNoMore(
  { mirageSchema }: Orm,
  names: TypedField["names"],
  name: string,
  { owner, relation, model, items }: ListTarget,
): boolean {
  const wordsIn = (text: string) => wordsOf(text).map((word) => mirageSchema.toModelName(word));
  const leaves = items.form === "flat" ? items.leaves : [{ name: items.path.at(-1) ?? "" }];
  const listed = new Set([relation.name, model.typeName].flatMap(wordsIn));
  const own = new Set(wordsIn(owner.typeName));
  const given = new Set(leaves.flatMap((leaf) => wordsIn(leaf.name)));
  const words = names.split(name).filter((word) => !names.words.verbs.has(word));
  const isItem = (word: string) => listed.has(word) || given.has(word) || ITEM.test(word);
  const isKnown = (word: string) =>
    own.has(word) || isItem(word) || /[a-z]able$/.test(word) || names.isFiller(word) ||
    [...["prepositions", "change", "reorder"] as const].some((kind) => names.words.is(kind, word));
  const singular = words.flatMap((word) => wordsIn(word));
  const isMeant = singular.some((word) => isItem(word) && !own.has(word)) ||
    words.some((word) => names.words.is("prepositions", word));
  return isMeant && words.every((word) => isKnown(word) || wordsIn(word).every(isKnown));
}

function isNamed(name: string, { relation, model, items }: ListTarget): boolean {
  const words = wordsOf(name).join("");
  const argument = items.form === "flat" ? "" : keyOf(items.path.at(-1) ?? "");
  const keys = [relation.name, model.typeName, model.collectionName].map(keyOf);
  return keys.some((key) => words.includes(key) || argument === key);
}
