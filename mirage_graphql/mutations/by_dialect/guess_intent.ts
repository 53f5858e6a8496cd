import {
  getNullableType,
  GraphQLBoolean,
  type GraphQLField,
  isInputObjectType,
  isNonNullType,
} from "graphql";
import { listWordsOf } from "../../arguments/list_words.ts";
import type { WriteAction } from "../../dialects/dialect.ts";
import { hasField, type MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import type { WriteContext } from "../../orm/writes/write_context.ts";
import { isOneOrMany, type Pluralize, pluralsOf, wordsOf } from "../../shared/names.ts";
import { isGiven } from "../../shared/values.ts";
import { acknowledgement } from "../by_convention/acknowledgement.ts";
import { counterChange } from "../by_convention/counters.ts";
import { currentRecord } from "../by_convention/current_record.ts";
import { listChange } from "../by_convention/list_change.ts";
import { withListFields } from "../by_convention/list_fields.ts";
import { type OtherRecords, otherRecords } from "../by_convention/other_records.ts";
import { mergeChange } from "../by_convention/merge_change.ts";
import { parentArguments, withParents } from "../by_convention/parents.ts";
import { partChange } from "../by_convention/part_change.ts";
import { type RecordChange, recordChange } from "../by_convention/record_change.ts";
import { keyNamed } from "../by_convention/references.ts";
import { recordModel, returnedModels } from "../by_convention/returned_models.ts";
import { settingsChange } from "../by_convention/settings.ts";
import { severalRecords } from "../by_convention/several_records.ts";
import { withWrittenValues } from "../by_convention/written_values.ts";
import { leavesOf, noCreation } from "../mutation_input.ts";
import { read, type TypedField, type TypedIntent, typedIntent } from "../typed_intent.ts";
import type { Refusal, WriteIntent } from "../write_intent.ts";
import { type ArgumentReader, createArgumentReader } from "./argument_reader.ts";
import { guessRoles } from "./argument_roles.ts";
import { type AnswerSubject, createAnswer, isBulkAnswer } from "./guessed_answer.ts";
import {
  contradiction,
  idInInput,
  isBare,
  isBareCreation,
  isExplained,
  mayCreate,
} from "./name_and_types.ts";
import { createCurrentId, readingIntent } from "./reading_intent.ts";
import type { Changes } from "./value_changes.ts";
import type { Said } from "./write_rules.ts";
import { commonAction, isChanging, keysInName, writtenModel } from "./written_model.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Guesses what a mutation does by its name and the roles of its arguments: flat arguments, `where`
 * and `data`, lists, and results that only report what was done. What its types say counts if it is
 * the same; a refusal if they may say something different from the name.
 */
export function guessIntent(
  orm: Orm & WriteContext,
  changes: Changes,
  given: TypedField,
  said: Said,
): WriteIntent | Refusal {
  const subject = inGroup(given);
  const typed = subject === given ? said.typed : typedIntent(orm, subject);
  const intent = intentOf(orm, changes, subject, { ...said, typed });
  if ("reason" in intent) return intent;
  const listed = withListFields(orm, subject, intent);
  return subject.isExplicit ? listed : withWrittenValues(orm, listed);
}

/** `delete` of a `GroupMutation` is `deleteGroup`: its group names the model of a verb alone. */
function inGroup(subject: TypedField): TypedField {
  const { field, names, parentName } = subject;
  const model = wordsOf(field.name).length === 1
    ? names.model(parentName.replace(/Mutations?$/, ""))
    : undefined;
  if (model === undefined) return subject;
  const name = { value: field.name + model.typeName };
  return { ...subject, field: Object.create(field, { name }) };
}

function intentOf(
  orm: Orm & WriteContext,
  changes: Changes,
  subject: TypedField,
  { typed, ruled }: Said,
): WriteIntent | Refusal {
  if (ruled !== undefined && !("reason" in ruled)) {
    return subject.isExplicit ? ruled : withParents(orm, subject.field, ruled);
  }
  const known = "reason" in typed ? undefined : typed;
  const action = commonAction(subject) ?? (isBareCreation(orm, subject) ? "create" : undefined);
  const part = subject.isExplicit
    ? undefined
    : attempt(orm, subject, partChange) ?? attempt(orm, subject, mergeChange);
  if (part !== undefined) return part;
  if (known !== undefined && isExplained(orm, subject, known, action)) {
    return completed(orm, subject, known);
  }
  const change = subject.isExplicit
    ? undefined
    : settingsChange(orm, subject) ?? attempt(orm, subject, listChange) ??
      attempt(orm, subject, severalRecords);
  if (change !== undefined) return change;
  const guessed = guess(orm, changes, subject, action);
  if (guessed !== undefined) return withParents(orm, subject.field, guessed);
  const changed = subject.isExplicit ? undefined : recordChange(orm, subject);
  const own = changed && ("intent" in changed ? answered(orm, subject, changed) : changed);
  if (own !== undefined && !("reason" in own)) return own;
  const contradicted = known && contradiction(orm, subject, known, action);
  if (known !== undefined && contradicted === undefined) return completed(orm, subject, known);
  const last = subject.isExplicit
    ? undefined
    : counterChange(orm, subject) ?? acknowledgement(orm, subject);
  return last ?? contradicted ?? own ?? typed;
}

/** A rule that says what a mutation changes, if it is about such a mutation. */
type ChangeRule = (orm: Orm & WriteContext, subject: TypedField) => RecordChange | undefined;

/** What a rule says, unless the type of the mutation can't have the answer. */
function attempt(
  orm: Orm & WriteContext,
  subject: TypedField,
  rule: ChangeRule,
): WriteIntent | undefined {
  const change = rule(orm, subject);
  const intent = change && answered(orm, subject, change);
  return intent === undefined || "reason" in intent ? undefined : intent;
}

/** A change with its answer; a refusal if the type of the mutation can't have one. */
function answered(
  orm: Orm,
  { field, names: { words } }: TypedField,
  { model, intent }: RecordChange,
): WriteIntent | Refusal {
  const others = otherRecords(orm, field, intent.models);
  const answer = createAnswer(answerSubject(orm, { model, words, others }), field.type);
  if (answer === undefined) {
    const reason =
      `returns ${field.type}, which nothing in the call leads to for ${model.typeName}`;
    return { reason };
  }
  return { ...intent, answer: answer.toValue, other: others.find };
}

function answerSubject(
  orm: Orm,
  { model, words, others: { leadsTo } }: {
    readonly model: MockModel;
    readonly words: TypedField["names"]["words"];
    readonly others: OtherRecords;
  },
): AnswerSubject {
  const isRecord = (typeName: string) =>
    typeName === model.typeName || recordModel(orm, typeName) !== undefined;
  return { graphQLSchema: orm.graphQLSchema, model, words, isRecord, leadsTo };
}

/**
 * What the types say, with a payload that contains more than the record. A creation whose name does
 * not say so updates the record whose `id` its input has: `renamePerson(input: { id: 1, name: "Ada" })`.
 */
function completed(
  orm: Orm & WriteContext,
  subject: TypedField,
  typed: TypedIntent,
): TypedIntent {
  const { field, isExplicit, names } = subject;
  const [model, ...rest] = typed.models;
  const others = otherRecords(orm, field, typed.models);
  const words = names.words;
  const answer = typed.hasPayload && model && rest.length === 0
    ? createAnswer(answerSubject(orm, { model, words, others }), field.type)?.toValue ??
      typed.answer
    : typed.answer;
  const own = {
    ...isExplicit ? typed : withParents(orm, field, typed),
    answer,
    other: others.find,
  };
  const missing = isExplicit || model === undefined
    ? undefined
    : missingId(orm, field, typed, model);
  if (missing !== undefined) return { ...own, read: missing };
  if (typed.action === "update" && !isExplicit && saysMore(names, field.name)) {
    return { ...own, isPartial: true };
  }
  const id = typed.action === "create" && !names.creates(field.name)
    ? idInInput(orm.graphQLSchema, field, model)
    : undefined;
  if (id === undefined) return own;
  const updating = typedIntent(orm, { ...subject, verb: "update" });
  const update = "reason" in updating ? updating : { ...updating, answer, other: others.find };
  if (!("reason" in update) && !isExplicit && !mayCreate(subject)) {
    return { ...update, isPartial: true };
  }
  return { ...own, instead: (args) => (read(args, id) ?? null) === null ? undefined : update };
}

/**
 * Reads an update whose id may be left out, and is then that of a record of whoever calls:
 * `accountUpdate(customerId: ID, input)`.
 */
function missingId(
  orm: Orm,
  { args }: Field,
  typed: TypedIntent,
  model: MockModel,
): TypedIntent["read"] | undefined {
  const [name, ...rest] = typed.id ?? [];
  const argument = args.find((one) => one.name === name);
  const isOptional = typed.action === "update" && rest.length === 0 && argument !== undefined &&
    !isNonNullType(argument.type);
  const current = isOptional ? currentRecord(orm, model) : undefined;
  if (current === undefined || name === undefined) return undefined;
  return (given, call) =>
    typed.read(isGiven(given[name]) ? given : { ...given, [name]: current.idFor(call) }, call);
}

/** Whether a name says more than a verb and a model, so that it may be about a part of the record. */
function saysMore(names: TypedField["names"], name: string): boolean {
  return !names.isOnlyVerb(name) && names.model(name) === undefined;
}

/** What a name and the roles of the arguments say; `undefined` if that is not enough. */
function guess(
  orm: Orm & WriteContext,
  changes: Changes,
  typed: TypedField,
  said: WriteAction | undefined,
): WriteIntent | undefined {
  const { field, names, verb, refuse } = typed;
  const { words } = names;
  const { graphQLSchema } = orm;
  const plural = pluralsOf(orm.mirageSchema);
  const written = writtenModel(orm, typed, said);
  const others = otherRecords(orm, field, written === undefined ? [] : [written.model]);
  const answer = written &&
    createAnswer(answerSubject(orm, { model: written.model, words, others }), field.type);
  if (written === undefined || answer === undefined || verb === "close") return undefined;
  const { model, isPartial } = written;
  const isCreation = said === "create";
  if (isCreation && (isAboutExisting(orm, field, model) || !answer.reports)) return undefined;
  // `submitOrder(input: { id: 1 })` is about an order that exists
  const isWeak = isCreation && !names.creates(field.name) && !isBare(names, field.name);
  if (isWeak && idInInput(graphQLSchema, field, model) !== undefined) return undefined;
  const action = said ?? "update";
  const byKeys = keysInName(field.name);
  const listWords = listWordsOf(orm.conventions.dialects);
  const options = action === "delete" ? deleteOptions(orm, field, model) : [];
  // an update writes its parent
  const parents = action === "update" ? [] : parentArguments(orm, field, model);
  const outside = new Set([
    ...parents.map(({ leaf }) => leaf.name),
    ...referring(orm, field, { model, others }),
    ...options,
  ]);
  const subject = {
    ...{ graphQLSchema, model, action, isPartial, byKeys },
    ...{ changes, words, listWords, outside },
  };
  const reader = createArgumentReader(subject, guessRoles(subject), field.args);
  const currentId = action === "update" && !reader.canFind
    ? createCurrentId(orm, field, model)
    : undefined;
  const isFound = reader.canFind || currentId !== undefined;
  if (action !== "create" && action !== "upsert" && !isFound) return undefined;
  if (action !== "delete" && !reader.hasValues) return undefined;
  if (
    said === undefined &&
    !(isChanging(words, field.name) && namesValues(field.name, reader, plural))
  ) {
    return undefined;
  }
  const isBulk = isBulkAnswer(words, field, model, plural);
  return readingIntent(orm, field, {
    ...{ model, action, isPartial, isBulk, refuse, reader, currentId, changes, outside },
    answer: answer.toValue,
    other: others.find,
  });
}

/** Names of the values that refer to other records that the answer has. */
function referring(
  orm: Orm,
  field: Field,
  { model, others }: { readonly model: MockModel; readonly others: OtherRecords },
): readonly string[] {
  const returned = returnedModels(orm, field.type).models
    .filter((one) => one !== model && others.leadsTo(one.typeName));
  return leavesOf(field.args).map(({ name }) => name).filter((name) =>
    !hasField(orm.graphQLSchema, model, name) &&
    returned.some((one) => keyNamed(orm, one, name) !== undefined)
  );
}

/**
 * Names of the Booleans that say how to delete, `deleteFile`, which a mock ignores with
 * `unknownArguments: "ignore"`.
 */
function deleteOptions(orm: Orm, field: Field, model: MockModel): readonly string[] {
  if (orm.conventions.unknownArguments === "error") return [];
  const names = leavesOf(field.args).filter(({ name, type }) =>
    getNullableType(type) === GraphQLBoolean && !hasField(orm.graphQLSchema, model, name)
  ).map(({ name }) => name);
  if (names.length > 0) orm.warnOnce(`The mock ignores ${names.join(", ")} of ${field.name}`);
  return names;
}

/** Whether a name says what it changes: `changePostTitle(id, title)`. */
function namesValues(name: string, { flat }: ArgumentReader, plural: Pluralize): boolean {
  const words = wordsOf(name);
  return flat.length > 0 &&
    flat.every((value) =>
      wordsOf(value).filter((word) => !/^ids?$/.test(word)).every((word) =>
        words.some((one) => isOneOrMany(one, word, plural) || isOneOrMany(word, one, plural))
      )
    );
}

/** Whether the only argument of a creation refers to an existing record. */
function isAboutExisting({ graphQLSchema }: Orm, { args }: Field, model: MockModel): boolean {
  const [argument, ...others] = args;
  const type = argument && getNullableType(argument.type);
  if (argument === undefined || others.length > 0) return false;
  if (!isInputObjectType(type)) return argument.name === "id";
  return noCreation({ path: [argument.name], type, model, graphQLSchema }, true) !== undefined;
}
