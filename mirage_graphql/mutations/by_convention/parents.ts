import { getNamedType, type GraphQLField, isInputObjectType, isNonNullType } from "graphql";
import type { ResolverCall } from "../../arguments/call.ts";
import { hasField, type MockModel, type Relation, relationTo } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { findRecord, type RecordRef } from "../../orm/writes/record_ref.ts";
import type { WriteContext } from "../../orm/writes/write_context.ts";
import { allowedModels } from "../../orm/writes/related_record.ts";
import type { RecordWrite } from "../../orm/writes/write_records.ts";
import { isIdType, isList } from "../../schema/types.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { isGiven } from "../../shared/values.ts";
import { fieldOf, type InputLeaf, inputsOf, leavesOf } from "../mutation_input.ts";
import { read } from "../typed_intent.ts";
import type { Values, WriteIntent, WriteItem } from "../write_intent.ts";
import { currentRecord } from "./current_record.ts";
import { findReferred, isReferred, keyNamed, type Reference } from "./references.ts";

type Field = GraphQLField<unknown, unknown>;

/** How a new record is linked to the one that it belongs to. */
export type ParentLink =
  /** By its own relation. */
  | { readonly relation: Relation; readonly list?: undefined }
  /** By a list of the parent. */
  | { readonly relation?: undefined; readonly list: Relation };

/** An argument that refers to a record to which the new one belongs. */
interface ParentArgument {
  readonly leaf: InputLeaf;
  /** The parent, which is of one of these models. */
  readonly references: readonly Reference[];
}

/** `subjectId` and the like, which say nothing about the type. */
const GENERAL_ID = /^(subject|parent|owner|target|node|object|[a-z]+able)id$/;

/**
 * The arguments of a creation that its record has no field for, and that refer to a record with a
 * list of such records: `postId`, `articleSlug` or `subjectId` of a comment.
 */
export function parentArguments(
  orm: Orm,
  { args }: Field,
  model: MockModel,
): readonly ParentArgument[] {
  const owners = orm.models.models.filter((owner) => linkTo(model, owner) !== undefined);
  return leavesOf(args).filter(({ name }) => !hasField(orm.graphQLSchema, model, name))
    .flatMap((leaf): readonly ParentArgument[] => {
      const references = owners.flatMap((owner): readonly Reference[] => {
        const key = keyNamed(orm, owner, leaf.name);
        return key === undefined ? [] : [{ model: owner, key }];
      });
      const exact = references.filter(({ model, key }) =>
        keyOf(leaf.name) === keyOf(model.typeName + key)
      );
      const named = exact.length > 0 ? exact : references;
      if (named.length > 0) return [{ leaf, references: named }];
      const isGeneral = isIdType(leaf.type) && GENERAL_ID.test(keyOf(leaf.name));
      if (!isGeneral || owners.length === 0) return [];
      return [{ leaf, references: owners.map((owner) => ({ model: owner, key: "id" })) }];
    });
}

/**
 * Links each record that an intent creates to those that it belongs to: the ones that its arguments
 * refer to, and the one that belongs to whoever calls, such as the `viewer`.
 */
export function withParents<Intent extends WriteIntent>(
  orm: Orm & WriteContext,
  field: Field,
  intent: Intent,
): Intent {
  const [model] = intent.models;
  if (model === undefined || intent.action !== "create") return intent;
  const parents = parentArguments(orm, field, model);
  // what inserts several records says all that there is to say
  const owners = takesMany(field) ? [] : orm.models.models.filter((owner) => owner !== model);
  const callers = owners.flatMap((owner) => {
    const [current, link] = [currentRecord(orm, owner), linkTo(model, owner)];
    const isLinked = link !== undefined && isOfCaller(orm, { model, owner, link });
    return current === undefined || !isLinked ? [] : [{ owner, current }];
  });
  if (parents.length + callers.length === 0) return intent;
  const found = (args: Values, call: ResolverCall | undefined): FoundParents => {
    const given = parents.filter((parent) => isReferring(orm, model, parent, args));
    const refs = given.flatMap(({ leaf, references }) =>
      findReferred(orm, references, read(args, leaf.path))
    );
    const current = callers.filter(({ owner }) =>
      refs.every(({ modelName }) => modelName !== owner.modelName)
    ).flatMap(({ owner: { modelName }, current }) => {
      const id = current.idFor(call);
      return id === undefined ? [] : [{ modelName, id }];
    });
    return { refs: [...refs, ...current], names: new Set(given.map(({ leaf }) => leaf.name)) };
  };
  return {
    ...intent,
    read(args, call) {
      const items = intent.read(args, call);
      const parents = found(args, call);
      return items.map((item) => linked(orm, model, item, parents));
    },
    after: (item, ref) => item.lists.map((list) => addedTo(orm, list, ref)),
  };
}

/** The records that a call links a new one to. */
interface FoundParents {
  readonly refs: readonly RecordRef[];
  /** Names of the values that refer to them. */
  readonly names: ReadonlySet<string>;
}

/**
 * Whether an argument of a call refers to a parent. One that may stay a plain value does only if
 * there is such a record: the mock may have no country for a `countryCode`.
 */
function isReferring(
  orm: Orm,
  model: MockModel,
  { leaf, references: [first] }: ParentArgument,
  args: Values,
): boolean {
  const value = read(args, leaf.path);
  if (!isGiven(value) || first === undefined) return false;
  const isOptional = first.key !== "id" && linkTo(model, first.model)?.list === undefined;
  return !isOptional || isReferred(orm, first, value);
}

function takesMany({ args }: Field): boolean {
  return inputsOf(args).some(({ type }) => isList(type) && isInputObjectType(getNamedType(type)));
}

/** An item with its links to other records, and without the arguments that refer to them. */
function linked(
  orm: Orm & WriteContext,
  model: MockModel,
  item: WriteItem,
  { refs, names }: FoundParents,
): WriteItem {
  if (item.values === undefined && refs.length === 0) return item;
  const own = Object.entries(item.values ?? {}).filter(([name]) => !names.has(name));
  const values: Record<string, unknown> = Object.fromEntries(own);
  const set = ({ name, foreignKey }: Relation, id: unknown) => {
    const key = keyOf(foreignKey);
    const isSet = Object.keys(values).some((one) => one === name || keyOf(one) === key);
    if (!isSet) values[foreignKey] = id;
  };
  const lists = refs.flatMap((owner) => {
    const parent = orm.models.ofModel(owner.modelName);
    const link = parent && linkTo(model, parent);
    if (link?.relation !== undefined) set(link.relation, owner.id);
    if (link?.list === undefined) return [];
    for (const relation of makersOf(orm, model, owner)) {
      set(relation, { type: owner.modelName, id: owner.id });
    }
    return [{ owner, relation: link.list }];
  });
  return { ...item, values, lists: [...item.lists, ...lists] };
}

/** The relations of several types that are named after whoever has made a record: `author: Actor`. */
function makersOf(orm: Orm & WriteContext, model: MockModel, owner: RecordRef): Relation[] {
  const associations = orm.mirageSchema.associationsFor(model.modelName);
  return [...model.relations.values()].filter(({ name, association, isList, modelName }) => {
    const own = associations[association];
    return !isList && modelName === undefined && own !== undefined &&
      wordsOf(name).every((word) => BY_CALLER.test(word)) &&
      allowedModels(orm, own).includes(owner.modelName);
  });
}

function addedTo({ mirageSchema }: Orm, list: WriteItem["lists"][number], ref: RecordRef) {
  const { owner, relation: { name, foreignKey } } = list;
  const ids = findRecord(mirageSchema, owner)?.[foreignKey];
  const write: RecordWrite = {
    modelName: owner.modelName,
    existing: owner,
    input: { [name]: [...Array.isArray(ids) ? ids : [], ref.id] },
  };
  return write;
}

/**
 * How records of a model are linked to those of an owner: by the only relation that leads there, or
 * else by the only list of the owner, or the one that is named after nothing but the model.
 */
export function linkTo(model: MockModel, owner: MockModel): ParentLink | undefined {
  const relation = relationTo(model, owner, false);
  if (relation !== undefined) return { relation };
  const list = relationTo(owner, model, true);
  return list && { list };
}

/** Relations to whoever has made a record. */
const BY_CALLER = /^(created|posted|written|submitted|sent|author|owner|user|creator|sender|by)$/;

/**
 * Whether a new record belongs to whoever calls: they have a list that is named after its type
 * alone, unlike `recommendedPosts`, or it has a relation to them that must not be null, or that is
 * named after their type or what they do.
 */
function isOfCaller(
  { graphQLSchema, mirageSchema }: Orm,
  { model, owner, link }: {
    readonly model: MockModel;
    readonly owner: MockModel;
    readonly link: ParentLink;
  },
): boolean {
  if (link.list !== undefined) {
    const wordsIn = (text: string) => wordsOf(text).map((word) => mirageSchema.toModelName(word));
    const type = wordsIn(model.typeName);
    const own = wordsIn(link.list.name).filter((word) => !/^(connection|list)$/.test(word));
    return own.at(-1) === type.at(-1) && own.every((word) => type.includes(word));
  }
  const { name } = link.relation;
  const field = fieldOf(graphQLSchema, model.typeName, keyOf(name));
  return isNonNullType(field?.type) || keyOf(name) === keyOf(owner.typeName) ||
    wordsOf(name).every((word) => BY_CALLER.test(word));
}
