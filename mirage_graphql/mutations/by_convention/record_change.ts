import { getNamedType, isEnumType, isLeafType, isNonNullType } from "graphql";
import { hasField, type MockModel, relationNamed } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { fieldsOf, isIdType, isList } from "../../schema/types.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { isGiven } from "../../shared/values.ts";
import { longest } from "../mutation_name.ts";
import { read, type TypedField } from "../typed_intent.ts";
import { NO_ITEM, type Refusal, type Values, type WriteIntent } from "../write_intent.ts";
import { currentRecord } from "./current_record.ts";
import { type FlagChange, flagChange } from "./flags.ts";
import { findReferred, keyNamed } from "./references.ts";
import { type InputLeaf, inputsOf, leavesOf } from "../mutation_input.ts";
import { returnedModels } from "./returned_models.ts";
import { viewerLists } from "./viewer_lists.ts";
import { keyedRelation } from "./written_values.ts";

/** A mutation that changes a record, before it has an answer. */
export interface RecordChange {
  readonly model: MockModel;
  readonly intent: Omit<WriteIntent, "answer" | "other">;
}

/** What the arguments of a change are for. */
interface ChangeRoles {
  /** What finds the record, and by which attribute; without it, it belongs to whoever calls. */
  readonly key: (InputLeaf & { readonly key: string }) | undefined;
  /** Values to write, and into which attribute. */
  readonly values: readonly (InputLeaf & { readonly attribute: string })[];
  /** What no rule reads. */
  readonly unread: readonly InputLeaf[];
}

/**
 * What a mutation changes whose verb no rule has: the state that the verb names, such as
 * `viewerHasStarred` for `starPost(id)`, and values that are fields of the record, as in
 * `renameTodo(input: { id, text })`. The model is the one that the name and the answer have.
 */
export function recordChange(
  orm: Orm,
  { field, names, verb, refuse }: TypedField,
): RecordChange | Refusal | undefined {
  const models = changedModels(orm, field, names);
  const [model] = models;
  if (model === undefined || field.args.length === 0) return undefined;
  const flags = models.map((one) =>
    flagChange(orm, one, verbWords(orm, { field, names }, one), names.words)
  );
  const lists = viewerLists(
    orm,
    model,
    verbWords(orm, { field, names }, model),
    names.words,
  );
  const hasFlag = flags.every((flag) => flag !== undefined);
  const words = names.split(field.name);
  const isChange = [words[0], words.at(-1)].some((word) =>
    names.words.is("change", word) || names.words.is("update", word)
  );
  if (!hasFlag && /^un[a-z]{3}/.test(words[0] ?? "")) return undefined;
  const current = names.mentioned(field.name).includes(model) &&
      (isChange || namesInputs(words, field))
    ? currentRecord(orm, model)
    : undefined;
  const isCurrent = current !== undefined;
  const roles = rolesOf(orm, field.args, { model, models, field, hasFlag, isChange, isCurrent });
  if (roles === undefined || !hasFlag && roles.values.length === 0) return undefined;
  const isLenient = orm.conventions.unknownArguments === "ignore" && verb !== "create";
  const required = roles.unread.find(({ type }) => isNonNullType(type));
  if (required !== undefined && !isLenient) {
    return {
      reason: `takes "${required.name}", which ${model.typeName} has no field for`,
      hint: "which finds the record and changes it",
    };
  }
  const flagOf = new Map(models.map((one, index): [MockModel, FlagChange | undefined] => [
    one,
    flags[index],
  ]));
  const intent: RecordChange["intent"] = {
    action: "update",
    models,
    isPartial: false,
    refuse,
    read(args, call) {
      const unread = roles.unread.find(({ path }) => isGiven(read(args, path)));
      const isWritten = hasFlag || roles.values.some(({ path }) => isGiven(read(args, path)));
      if (unread !== undefined) {
        const reason = `takes "${unread.name}", which ${model.typeName} has no field for`;
        if (!isLenient || !isWritten) throw refuse(reason);
        orm.warnOnce(`The mock writes the other values of ${field.name}: it ${reason}`);
      }
      if (!isWritten) throw refuse("needs values to update, and the call has none");
      const { key } = roles;
      const value = key === undefined ? current?.idFor(call) : read(args, key.path);
      if (!isGiven(value)) throw refuse(`needs the id of the ${model.typeName} to update`);
      const values = roles.values.flatMap(({ attribute, path }) => {
        const value = read(args, path);
        return value === undefined ? [] : [[attribute, value] as const];
      });
      return [{
        ...NO_ITEM,
        keys: { [key?.key ?? "id"]: value },
        values: Object.fromEntries(values),
        changes: [["set", {}]],
        lists: hasFlag && models.length === 1 ? lists.of(call) : [],
      }];
    },
    find: ({ keys }) => foundBy(orm, models, keys),
    after: lists.write,
    changed({ values = {} }, record, one) {
      // the duration of an `Activity` is added to what there is
      const added = Object.keys(values).find((name) =>
        /activity.*duration$/i.test(field.name + name)
      );
      return {
        ...flagOf.get(one)?.(record),
        ...added && { [added]: Number(record[added] ?? 0) + Number(values[added]) },
      };
    },
  };
  return { model, intent };
}

/** Whether a name has those of all values: `transitionOrderToState(state)`. */
function namesInputs(words: readonly string[], { args }: TypedField["field"]): boolean {
  return inputsOf(args).every(({ name }) => wordsOf(name).every((word) => words.includes(word)));
}

function foundBy(orm: Orm, models: readonly MockModel[], keys: Values) {
  const [[key, value] = ["id", undefined]] = Object.entries(keys);
  const refs = findReferred(orm, models.map((model) => ({ model, key })), value, "update");
  return refs.flatMap((ref) => {
    const model = orm.models.ofModel(ref.modelName);
    return model === undefined ? [] : [{ model, ref }];
  });
}

/** The models that a change may be about: those on which its name and its answer agree. */
function changedModels(
  orm: Orm,
  field: TypedField["field"],
  names: TypedField["names"],
): readonly MockModel[] {
  const { models, groups: [group, ...others] } = returnedModels(orm, field.type);
  const mentions = names.mentions(names.split(field.name));
  const returned = longest(mentions.filter(({ model }) => models.includes(model)))?.model;
  if (returned !== undefined) return [returned];
  if (mentions.length === 0) return group !== undefined && others.length === 0 ? group : [];
  const mentioned = longest(mentions)?.model;
  return group === undefined && mentioned !== undefined ? [mentioned] : [];
}

/** The words of a name without those of a model, or of an interface that it implements. */
function verbWords(
  { graphQLSchema }: Orm,
  { field: { name }, names }: Pick<TypedField, "field" | "names">,
  model: MockModel,
): readonly string[] {
  const words = names.split(name);
  const mention = longest(names.mentions(words).filter((one) => one.model === model));
  const own = mention ? words.toSpliced(mention.start, mention.end - mention.start) : words;
  const verbs = own.filter((word) => names.words.verbs.has(word) || !names.isFiller(word));
  const [verb = "", object, ...others] = verbs;
  const isOther = object === undefined || others.length > 0 || names.words.verbs.has(verb) ||
    /^(toggle|mark)$/.test(verb) ||
    mention !== undefined || names.mentions(words).length > 0;
  // `bookTrips(launchIds)`: trips are nothing that the schema has
  return isOther || isPartOf(graphQLSchema, model, object) ? verbs : [verb];
}

/** Whether a word is one of the name of a field. */
function isPartOf(
  graphQLSchema: Orm["graphQLSchema"],
  { typeName }: MockModel,
  word: string,
): boolean {
  return fieldsOf(graphQLSchema.getType(typeName)).some(({ name }) => wordsOf(name).includes(word));
}

/** What a change is about, for the roles of its arguments. */
interface ChangeSubject {
  readonly model: MockModel;
  readonly models: readonly MockModel[];
  readonly field: TypedField["field"];
  /** Whether the verb alone changes something, so that attributes may identify the record. */
  readonly hasFlag: boolean;
  /** Whether the name says that it changes values; if not, relations are not changed. */
  readonly isChange: boolean;
  /** Whether a call may be about a record of whoever calls. */
  readonly isCurrent: boolean;
}

/** The roles of the arguments; `undefined` if none finds a record. */
function rolesOf(
  orm: Orm,
  args: TypedField["field"]["args"],
  subject: ChangeSubject,
): ChangeRoles | undefined {
  const { model, models, hasFlag, isChange } = subject;
  const all = inputsOf(args);
  const leaves = leavesOf(args);
  const returned = returnedModels(orm, subject.field.type).models;
  const isField = ({ name }: InputLeaf) => hasField(orm.graphQLSchema, model, name);
  const keyOfLeaf = (leaf: InputLeaf) =>
    /^ids?$/.test(leaf.name) ? "id" : isField(leaf) ? undefined : keyNamed(orm, model, leaf.name);
  const named = leaves.flatMap((leaf) => {
    const key = keyOfLeaf(leaf);
    return key === undefined ? [] : [{ ...leaf, key }];
  });
  const isOfOther = (leaf: InputLeaf) =>
    returned.some((one) => !models.includes(one) && keyNamed(orm, one, leaf.name) !== undefined);
  const isOfModel = (leaf: InputLeaf) =>
    orm.models.models.some((one) => keyOf(leaf.name) === keyOf(`${one.typeName}id`));
  const loose = leaves.filter((leaf) =>
    isIdType(leaf.type) && !isField(leaf) && !isOfOther(leaf) && !isOfModel(leaf)
  );
  const natural = leaves.filter((leaf) => isField(leaf) && isNonNullType(leaf.type));
  const keys = named.length > 0
    ? named
    : loose.length === 1
    ? loose.map((leaf) => ({ ...leaf, key: "id" }))
    : hasFlag && natural.length === 1 && leaves.length === 1
    ? natural.map((leaf) => ({ ...leaf, key: leaf.name }))
    : [];
  const [key, ...others] = keys;
  if (others.length > 0 || key === undefined && !subject.isCurrent) return undefined;
  const rest = all.filter(({ path }) => path.join() !== key?.path.join());
  const values = rest.flatMap((leaf) => {
    const isValue = isField(leaf)
      ? isChange || relationNamed(model, leaf.name) === undefined
      : isChange && keyedRelation(orm, model, leaf.name) !== undefined;
    const attribute = isValue ? leaf.name : attributeOf(orm, model, leaf);
    return attribute === undefined ? [] : [{ ...leaf, attribute }];
  });
  const unread = rest.filter((leaf) =>
    !isOfOther(leaf) && values.every(({ path }) => path.join() !== leaf.path.join())
  );
  const isWhole = unread.length === 0 && values.length > 0;
  return key !== undefined || isWhole ? { key, values, unread } : undefined;
}

/** The attribute that an argument changes: one in another casing, or the only one with its enum. */
function attributeOf(
  { graphQLSchema }: Orm,
  { typeName }: MockModel,
  { name, type }: InputLeaf,
): string | undefined {
  const fields = fieldsOf(graphQLSchema.getType(typeName)).filter((one) => !isList(one.type));
  const named = getNamedType(type);
  const cased = fields.find((one) =>
    keyOf(one.name) === keyOf(name) && isLeafType(getNamedType(one.type))
  );
  const [only, ...others] = isEnumType(named) && !isList(type)
    ? fields.filter((one) => getNamedType(one.type) === named)
    : [];
  return (cased ?? (others.length === 0 ? only : undefined))?.name;
}
