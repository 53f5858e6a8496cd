import {
  getNamedType,
  getNullableType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import type { ListWords } from "../../arguments/list_words.ts";
import type { WriteAction } from "../../dialects/dialect.ts";
import { hasField, type MockModel, relationNamed } from "../../orm/models/model_map.ts";
import { fieldOf, inputFieldsOf, type InputValue, isIdType } from "../../schema/types.ts";
import { hasDefault } from "../../shared/graphql_versions.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import type { MutationWords } from "../mutation_name.ts";
import type { Changes } from "./value_changes.ts";

/** What a mutation writes, as far as it determines the roles of its arguments. */
export interface WriteSubject {
  readonly graphQLSchema: GraphQLSchema;
  readonly model: MockModel;
  readonly action: WriteAction;
  /** The keys that the mutation's name ends with: `slug` in `updatePostBySlug`. */
  readonly byKeys: readonly string[];
  /** Whether it may refer to a part of the record, so that values without a field are rejected. */
  readonly isPartial: boolean;
}

/** What a mutation writes, and how arguments may change values. */
export interface GuessSubject extends WriteSubject {
  readonly changes: Changes;
  readonly words: MutationWords;
  readonly listWords: ListWords;
  /** Names of the values that refer to records of other models, which are not written. */
  readonly outside: ReadonlySet<string>;
}

/** The role of an argument. */
export type WriteRole =
  | "ignored"
  /** A value by which the record is found. */
  | "key"
  /** An object by which records are found. */
  | "filter"
  /** An object that the record has to match. */
  | "condition"
  /** An object, or a list of them, with values to write. */
  | "data"
  /** An object with the values of a new record, next to `data` for an existing one. */
  | "create"
  /** What to do with an existing record. */
  | "conflict"
  /** Whether existing records are not changed. */
  | "skip"
  /** An object with changes of values, such as `_inc`. */
  | "change"
  /** A value to write. */
  | "value"
  /** An argument that no rule defines. */
  | "unread";

/** Determines the roles of a mutation's arguments, and of the fields of its inputs, by their path. */
export interface RoleReader {
  /** The roles of arguments, or of the fields of an input. */
  rolesOf(inputs: readonly InputValue[], path: readonly string[]): Map<string, WriteRole>;
  /** Whether an object with the role `data` contains others, rather than values. */
  isHolder(data: InputValue, path: readonly string[]): boolean;
  /** Names of the values in an object by which the record is found. */
  keysIn(data: InputValue, path: readonly string[]): ReadonlySet<string>;
}

/** Guesses roles by the names and types of arguments. */
export function guessRoles(subject: GuessSubject): RoleReader {
  return {
    rolesOf: (inputs) => rolesOf(subject, inputs),
    isHolder: (data) => isHolder(subject, data),
    keysIn: ({ type }) => {
      const leaves = inputFieldsOf(type).filter((field) => !isObjectInput(field));
      return keysOf(subject, leaves, { hasData: false, hasFilter: false });
    },
  };
}

/** What an input may contain in addition to the object with its values. */
const BESIDE: ReadonlySet<WriteRole> = new Set(["ignored", "key", "condition", "conflict"]);

/** Whether an input contains others: `{ where, data }`, `{ slug, patch }`, or a single object. */
function isHolder(subject: GuessSubject, { type }: InputValue): boolean {
  const fields = inputFieldsOf(type);
  const roles = rolesOf(subject, fields);
  const [data, ...others] = fields.filter(({ name }) => roles.get(name) === "data");
  const isHolding = [...roles.values()].some((role) => role === "filter" || role === "create");
  const isAlone = fields.filter(({ name }) => roles.get(name) !== "ignored").length === 1;
  const isWrapper = data !== undefined && others.length === 0 &&
    (isAlone || !isListType(getNullableType(data.type))) &&
    fields.every(({ name }) => name === data.name || BESIDE.has(roles.get(name)!));
  return subject.action !== "create" && isHolding || isWrapper;
}

function rolesOf(
  subject: GuessSubject,
  inputs: readonly InputValue[],
): Map<string, WriteRole> {
  const roles = new Map<string, WriteRole>();
  const objects = inputs.filter(isObjectInput);
  for (const input of objects) roles.set(input.name, objectRole(subject, input));
  const upserts = objects.filter(({ name }) => /^(create|update)$/.test(name));
  if (upserts.length === 2 && subject.action === "upsert") {
    roles.set("create", "create").set("update", "data");
  }
  const has = (role: WriteRole) => [...roles.values()].includes(role);
  const leaves = inputs.filter((input) => !isObjectInput(input));
  const keys = keysOf(subject, leaves, { hasData: has("data"), hasFilter: has("filter") });
  for (const input of leaves) {
    const role = keys.has(input.name) ? "key" : leafRole(subject, input, has("data"));
    roles.set(input.name, subject.outside.has(input.name) ? "ignored" : role);
  }
  if (!has("filter") && keys.size === 0 && !has("data")) {
    for (const [name, role] of roles) if (role === "condition") roles.set(name, "filter");
  }
  return roles;
}

/** Whether an input is an object, or a list of objects. */
export function isObjectInput({ type }: InputValue): boolean {
  return isInputObjectType(getNamedType(type));
}

/** Whether an argument's name says that it finds records: `where`, `filter`, `pk_columns`. */
export function isFindingName(words: MutationWords, name: string): boolean {
  return wordsOf(name).some((word) => words.is("find", word));
}

function objectRole(subject: GuessSubject, input: InputValue): WriteRole {
  const words = wordsOf(input.name);
  if (words.join(" ") === "where") return "filter";
  if (hasField(subject.graphQLSchema, subject.model, input.name)) return "value";
  if (words.some((word) => subject.words.is("conflict", word))) return "conflict";
  if (words.some((word) => subject.words.is("condition", word))) return "condition";
  if (subject.changes.has(input.name) && words.join("") !== "set") return "change";
  if (isFindingName(subject.words, input.name) || hasOperators(subject, input)) return "filter";
  return /^_(?!set$)/.test(input.name) ? "unread" : "data";
}

/** Whether its fields are objects of operators, as in `author: { name: { eq: "Ada" } }`. */
function hasOperators(subject: GuessSubject, { type }: InputValue): boolean {
  return inputFieldsOf(type).some((field) =>
    hasField(subject.graphQLSchema, subject.model, field.name) &&
    inputFieldsOf(field.type).length > 0 &&
    inputFieldsOf(field.type).every(({ name }) => subject.listWords.operator(name) !== undefined)
  );
}

function leafRole(
  subject: WriteSubject,
  { name, type }: InputValue,
  hasData: boolean,
): WriteRole {
  if (name === "clientMutationId") return "ignored";
  if (subject.action === "delete") return "unread";
  if (getNamedType(type).name === "Boolean" && /^skip_?duplicates?$/i.test(name)) return "skip";
  if (subject.action === "create" && hasData && name === "id") return "unread";
  return hasField(subject.graphQLSchema, subject.model, name) || !hasData && !subject.isPartial
    ? "value"
    : "unread";
}

/**
 * Names of the values that find the record: those in the mutation's name, or the record's own id
 * and what may be given instead, or other attributes of type `ID`, or required values next to an
 * object with values. A deletion has only keys.
 */
function keysOf(
  subject: WriteSubject,
  leaves: readonly InputValue[],
  { hasData, hasFilter }: { readonly hasData: boolean; readonly hasFilter: boolean },
): ReadonlySet<string> {
  if (subject.action === "create") return new Set();
  const namesOf = (fits: (input: InputValue) => boolean) =>
    new Set(leaves.filter(fits).map(({ name }) => name));
  const said = namesOf(({ name }) => subject.byKeys.includes(keyOf(name)));
  if (said.size > 0) return said;
  const isAttribute = ({ name }: InputValue) =>
    hasField(subject.graphQLSchema, subject.model, name);
  const own = leaves.filter(({ name }) => isOwnId(subject, name));
  const areOthers = subject.action === "delete" ||
    hasData && own.every(({ type }) => !isNonNullType(type));
  if (own.length > 0 || hasFilter) {
    return namesOf((input) => own.includes(input) || !hasFilter && areOthers && isAttribute(input));
  }
  const ids = namesOf(({ name }) => isIdAttribute(subject, name));
  if (ids.size > 0) return ids;
  if (subject.action === "delete") return namesOf(isAttribute);
  return hasData ? namesOf((input) => isAttribute(input) && isRequired(input)) : new Set();
}

function isRequired(input: InputValue): boolean {
  return isNonNullType(input.type) && !hasDefault(input);
}

/** Whether a name is that of the record's own id, or of ids: `id`, `postId`, `post_ids`. */
export function isOwnId(
  subject: Pick<WriteSubject, "model" | "graphQLSchema">,
  name: string,
): boolean {
  const { model } = subject;
  const key = keyOf(name).replace(/ids$/, "id");
  if (key === "id" || name === model.key?.name) return true;
  const names = [model.typeName, model.modelName].map((one) => `${keyOf(one)}id`);
  return names.includes(key) && !hasField(subject.graphQLSchema, subject.model, name);
}

function isIdAttribute({ model, graphQLSchema }: WriteSubject, name: string): boolean {
  const field = fieldOf(graphQLSchema, model.typeName, name);
  return field !== undefined && isIdType(field.type) && relationNamed(model, name) === undefined;
}
