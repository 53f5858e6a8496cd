import { getNamedType, isAbstractType, isLeafType, isObjectType } from "graphql";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { fieldsOf, possibleTypes } from "../../schema/types.ts";
import { isOneOrMany, keyOf, pluralsOf, wordsOf } from "../../shared/names.ts";
import { stemOf } from "../../shared/word_stem.ts";
import type { TypedField } from "../typed_intent.ts";
import { currentRecord } from "./current_record.ts";
import { flagChange } from "./flags.ts";

/** Words for whoever calls, and for what only that has. */
const OWN = /^(me|account|profile|password)$/;
/** Words for all there is. */
const WHOLE = /^(everything|all|data|database|trash|history|cache)$/;
/** Verbs after which there is less. */
const LESS = /^(clear|empty|wipe|drop|reset|purge|erase|truncate|clean|flush)$/;

/**
 * Whether a name says that it writes something which the mock has, though it names no model as a
 * whole: a type of records by its last word or an interface (`moveFiles` where a `VideoFile` is a
 * `BaseFile`), a state of records (`markAllAsRead`, `addLike`), an attribute (`changeEmail`), the
 * record of whoever calls (`deleteAccount`), what a root field returns (`enableDLNA` where there is
 * `dlnaStatus`), or everything (`resetDatabase`).
 */
export function isAboutRecords(
  orm: Orm,
  { field: { name, args }, names, verb }: TypedField,
): boolean {
  const words = names.split(name);
  const [first = ""] = words;
  const isChange = verb !== undefined || names.words.is("change", first) ||
    names.words.is("upsert", first);
  if (names.mentioned(name).length > 0 || namesType(orm, words)) {
    return args.length > 0 || isChange || words.some((word) => names.words.is("many", word));
  }
  const models = orm.models.models;
  const isVerb = (word: string, index: number) =>
    names.isFiller(word) || index === 0 && names.words.is("begin", word);
  const rest = words.filter((word, index) => !isVerb(word, index));
  if (models.some((model) => hasState(orm, model, words, names))) return true;
  if (LESS.test(first) || verb === "delete") {
    const isWhole = rest.every((word) => WHOLE.test(word) || LESS.test(word));
    if (isWhole) return models.length > 0;
  }
  if (names.words.undone(first).length > 0 && namesObject(orm, words.slice(1))) return true;
  if (!isChange) return false;
  const isOwn = rest.some((word) => OWN.test(word));
  return isOwn && models.some((model) => currentRecord(orm, model) !== undefined) ||
    models.some((model) => hasAttribute(orm, model, rest.join("")));
}

/** Whether a word is the last one of a type with records, or of an interface or union of such. */
function namesType(orm: Orm, words: readonly string[]): boolean {
  const plural = pluralsOf(orm.mirageSchema);
  const ends = Object.values(orm.graphQLSchema.getTypeMap()).filter((type) =>
    orm.models.ofType(type.name) !== undefined ||
    isAbstractType(type) &&
      possibleTypes(orm.graphQLSchema, type).some(({ name }) => orm.models.ofType(name))
  ).map(({ name }) => wordsOf(name).at(-1) ?? "");
  return words.some((word) => ends.some((end) => isOneOrMany(word, end, plural)));
}

/** Whether the name of a root object begins with some words: `dlnaStatus` for `enableDLNA`. */
function namesObject({ graphQLSchema }: Orm, words: readonly string[]): boolean {
  const key = words.join("");
  return key !== "" &&
    fieldsOf(graphQLSchema.getQueryType()).some((one) =>
      isObjectType(getNamedType(one.type)) && keyOf(one.name).startsWith(key)
    );
}

/** Whether records have the state that a verb names, for one or for all of them. */
function hasState(
  orm: Orm,
  model: MockModel,
  words: readonly string[],
  names: TypedField["names"],
): boolean {
  const [first = "", ...others] = words.filter((word) => !names.words.is("many", word));
  const isFlag = (own: readonly string[]) => flagChange(orm, model, own, names.words) !== undefined;
  const said = stemsOf([first, ...others]);
  return isFlag([first, ...others]) || names.words.verbs.has(first) && isFlag(others) ||
    attributesOf(orm, model).some((name) => said !== "" && stemsOf(wordsOf(name)) === said);
}

/** Whether records have a value with a name. */
function hasAttribute(orm: Orm, model: MockModel, key: string): boolean {
  const plural = pluralsOf(orm.mirageSchema);
  return attributesOf(orm, model).some((name) => isOneOrMany(key, keyOf(name), plural));
}

function attributesOf({ graphQLSchema }: Orm, { typeName }: MockModel): readonly string[] {
  return fieldsOf(graphQLSchema.getType(typeName))
    .filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
}

/** What words say in any order: `notificationsEnabled` and `enableNotifications` say the same. */
function stemsOf(words: readonly string[]): string {
  return words.filter((word) => !/^(is|has|are|as)$/.test(word)).map(stemOf).toSorted().join(" ");
}
