import { getNullableType, type GraphQLField, isInputObjectType } from "graphql";
import { isOneOrMany, type Pluralize, pluralsOf } from "../../arguments/targets.ts";
import { listWordsOf } from "../../arguments/list_words.ts";
import type { WriteAction } from "../../dialects/dialect.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import { hasField, type MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import type { WriteContext } from "../../orm/writes/write_context.ts";
import { type ArgumentPath, identifiedPaths, noCreation } from "../mutation_input.ts";
import { read, type TypedField, type TypedIntent, typedIntent } from "../typed_intent.ts";
import { isRefusal, type Refusal, type WriteIntent } from "../write_intent.ts";
import { createCurrentId, readingIntent } from "./reading_intent.ts";
import type { Changes } from "./value_changes.ts";
import { type ArgumentReader, createArgumentReader } from "./argument_reader.ts";
import { createAnswer, isBulkAnswer } from "./guessed_answer.ts";
import { guessRoles, isFindingName, isOwnId } from "./argument_roles.ts";
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
  subject: TypedField,
  typed: TypedIntent | Refusal,
): WriteIntent | Refusal {
  const known = isRefusal(typed) ? undefined : typed;
  const action = commonAction(subject);
  if (known !== undefined && isExplained(orm, subject, known, action)) {
    return completed(orm, subject, known);
  }
  const guessed = guess(orm, changes, subject, action);
  if (guessed !== undefined) return guessed;
  if (known === undefined) return typed;
  return contradiction(orm, subject, known, action) ?? completed(orm, subject, known);
}

/**
 * What the types say, with a payload that contains more than the record. A creation whose name says
 * nothing updates the record whose `id` its input has: `renamePerson(input: { id: 1, name: "Ada" })`.
 */
function completed(
  orm: Orm & WriteContext,
  subject: TypedField,
  typed: TypedIntent,
): TypedIntent {
  const { field, verb } = subject;
  const [model, ...others] = typed.models;
  const answer = typed.hasPayload && model && others.length === 0
    ? createAnswer(orm.graphQLSchema, field.type, model, subject.names.words)?.toValue ??
      typed.answer
    : typed.answer;
  const id = typed.action === "create" && verb === undefined
    ? idInInput(orm.graphQLSchema, field, model)
    : undefined;
  if (id === undefined) return { ...typed, answer };
  const update = typedIntent(orm, { ...subject, verb: "update" });
  const instead = isRefusal(update) ? update : { ...update, answer };
  return {
    ...typed,
    answer,
    instead: (args) => (read(args, id) ?? null) === null ? undefined : instead,
  };
}

/** Where an `id` is in the only argument of a creation. */
function idInInput(
  graphQLSchema: Orm["graphQLSchema"],
  { args: [argument] }: Field,
  model: MockModel | undefined,
): ArgumentPath | undefined {
  const type = argument && getNullableType(argument.type);
  if (argument === undefined || model === undefined || !isInputObjectType(type)) return undefined;
  const { id } = identifiedPaths({ path: [argument.name], type, model, graphQLSchema });
  return id?.at(-1) === "id" ? id : undefined;
}

/** The reason why the types say something different from the name and the arguments. */
function contradiction(
  orm: Orm,
  { isExplicit }: TypedField,
  typed: TypedIntent,
  action: WriteAction | undefined,
): Refusal | undefined {
  const [model] = typed.models;
  if (model === undefined || isExplicit) return undefined;
  const id = typed.id?.at(-1) ?? "";
  if (isIdOfOther(orm, model, id)) {
    return { reason: `takes "${id}", which is not an id of ${model.typeName}` };
  }
  if (typed.action !== "delete" || action === "delete") return undefined;
  return { reason: "takes only an ID, and its name does not say that it deletes" };
}

/** Whether an id is named after another model: `orderLineId` for an `OrderLineDiscount`. */
function isIdOfOther({ models }: Orm, model: MockModel, name: string): boolean {
  const key = keyOf(name).replace(/id$/, "");
  const isNamed = models.models.some(({ typeName }) => keyOf(typeName) === key);
  return isNamed && !keyOf(model.typeName).endsWith(key) && key !== keyOf(name);
}

/** Whether the types say the same as the name and the keys. */
function isExplained(
  orm: Orm,
  { isExplicit, names: { words } }: TypedField,
  typed: TypedIntent,
  action: WriteAction | undefined,
): boolean {
  const { graphQLSchema } = orm;
  const [model, ...others] = typed.models;
  if (model === undefined) return false;
  if (isExplicit) return !(action === "create" && typed.action === "delete");
  const id = typed.id?.at(-1);
  const isOtherKey = id !== undefined && others.length === 0 &&
    !isOwnId({ graphQLSchema, model }, id) && hasField(graphQLSchema, model, id);
  if (action === undefined) return typed.action !== "delete";
  if (id !== undefined && isIdOfOther(orm, model, id)) return false;
  const isFilter = (typed.id?.length ?? 0) > 1 && isFindingName(words, typed.id?.[0] ?? "");
  return typed.action === action && !isOtherKey && !isFilter;
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
  const answer = written && createAnswer(graphQLSchema, field.type, written.model, words);
  if (written === undefined || answer === undefined || verb === "close") return undefined;
  const { model, isPartial } = written;
  const isCreation = said === "create";
  if (isCreation && (isAboutExisting(orm, field, model) || !answer.reports)) return undefined;
  const action = said ?? "update";
  const byKeys = keysInName(field.name);
  const listWords = listWordsOf(orm.conventions.dialects);
  const subject = { graphQLSchema, model, action, isPartial, byKeys, changes, words, listWords };
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
    ...{ model, action, isPartial, isBulk, refuse, reader, currentId, changes },
    answer: answer.toValue,
  });
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
