import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { hasField, type MockModel, relationNamed } from "../orm/models/model_map.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";
import { isIdType, isList } from "../schema/types.ts";
import { keyOf, wordsOf } from "../shared/names.ts";
import { isPlainObject } from "../shared/values.ts";
import type { Values } from "./write_intent.ts";

/** How deep an input is searched; input types may contain each other. */
const MAX_DEPTH = 4;

/** The names that lead to a value in the arguments: `["input", "id"]`. */
export type ArgumentPath = readonly [string, ...string[]];

/** A part of the arguments of a mutation: an argument, or a field of the object that one takes. */
export interface InputLeaf {
  readonly name: string;
  readonly path: ArgumentPath;
  readonly type: GraphQLInputType;
}

/** An argument, or a field of an input. */
type InputField = Pick<InputLeaf, "name" | "type">;

/** The arguments that take no object, and the fields of the objects that others take. */
export function inputsOf(args: readonly InputField[]): readonly InputLeaf[] {
  return args.flatMap(({ name, type }): readonly InputLeaf[] => {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || isList(type)) return [{ name, type, path: [name] }];
    return Object.values(named.getFields())
      .map((field) => ({ name: field.name, type: field.type, path: [name, field.name] }));
  }).filter(({ name }) => name !== "clientMutationId");
}

/** The scalars and enum values, and lists of such, among them. */
export function leavesOf(args: readonly InputField[]): readonly InputLeaf[] {
  return inputsOf(args).filter(({ type }) => isLeafType(getNamedType(type)));
}

/** Where the values that a mutation writes are in an input object. */
export interface InputPaths {
  /** The id of the record; `undefined` if the input has none. */
  readonly id: ArgumentPath | undefined;
  /** The object with the values. */
  readonly values: ArgumentPath;
  /** Names of the values that the record's type has no fields for. */
  readonly extras: readonly string[];
}

/** The input object of an argument, and the model whose record it writes. */
export interface InputSubject {
  readonly path: ArgumentPath;
  readonly type: GraphQLInputObjectType;
  readonly model: MockModel;
  readonly graphQLSchema: GraphQLSchema;
}

/** The record is identified by the input, as in `updatePost(input: { postId: 1, title: "x" })`. */
export function identifiedPaths(subject: InputSubject): InputPaths {
  const id = idField(subject, "any");
  const inner = wrapped(subject, id);
  const idPath = id === undefined ? undefined : joined(subject.path, id);
  if (inner === undefined) {
    const extras = ownFields(subject.type).map(({ name }) => name)
      .filter((name) => name !== id && !isValue(subject, name));
    return { id: idPath, values: subject.path, extras };
  }
  const paths = identifiedPaths(inner);
  return idPath === undefined ? paths : { ...paths, id: idPath };
}

/** The values are the whole input, or the only object in it: `input: { person: { ... } }`. */
export function valuesPath(subject: InputSubject): ArgumentPath {
  const inner = wrapped(subject, undefined);
  return inner === undefined ? subject.path : valuesPath(inner);
}

/**
 * Why an input can't create a record; completes "it ...". An input with an id that is named after
 * the record itself refers to an existing record, and so does one with only an id, unless the
 * mutation's name says that it creates: then the id is a relation's, as in `createLike`.
 */
export function noCreation(subject: InputSubject, isCreation: boolean): string | undefined {
  const inner = wrapped(subject, undefined);
  if (inner !== undefined) return noCreation(inner, isCreation);
  const { type, model } = subject;
  const own = idField(subject, isCreation ? "whole" : "any") ?? idsField(subject);
  const [only, ...others] = ownFields(type);
  if (only && others.length === 0 && isIdField(only) && (own || !isCreation)) {
    return `takes only an id, "${only.name}", which creates nothing`;
  }
  if (own === undefined || own === "id" || own === model.key?.name) return undefined;
  return `takes the id of the ${model.typeName}, "${own}", and its name does not say what to do with it`;
}

/**
 * The field of an input with the id of the record itself: `id`, or the type's name and `Id`, whole
 * or its last words: `issueCommentId` and `commentId` of an `IssueComment`. Those of other records
 * are relations.
 */
function idField(subject: InputSubject, part: "whole" | "any"): string | undefined {
  const { type, model } = subject;
  const fields = ownFields(type).filter((field) => isId(field.type));
  const named = (key: string) => fields.find(({ name }) => keyOf(name) === `${key}id`)?.name;
  const own = fields.find(({ name }) => name === "id") ??
    fields.find(({ name }) => name === model.key?.name);
  if (own !== undefined) return own.name;
  const [whole, ...shorter] = typeKeys(model.typeName);
  const keys = part === "whole" ? [whole!] : [whole!, ...shorter];
  return keys.map(named).find((name) => name !== undefined && !isValue(subject, name));
}

/** The field of an input with ids of the records themselves: `labelIds` of a `Label`. */
function idsField(subject: InputSubject): string | undefined {
  const key = `${keyOf(subject.model.typeName)}ids`;
  const field = ownFields(subject.type).find(({ name }) => keyOf(name) === key);
  return field === undefined || isValue(subject, field.name) ? undefined : field.name;
}

/** `projectv2item`, `v2item`, `item` for `ProjectV2Item`; `project` too for `ProjectV2`. */
export function typeKeys(typeName: string): string[] {
  const words = wordsOf(typeName);
  const keys = words.map((_, index) => words.slice(index).join(""));
  const unversioned = keyOf(typeName).replace(/v?\d+$/, "");
  return [...keys, unversioned].filter((key) => key !== "" && !/^v?\d+$/.test(key));
}

/** Whether a record has a value of this name, which is then a value to write. */
function isValue({ model, graphQLSchema }: InputSubject, name: string): boolean {
  return hasField(graphQLSchema, model, name);
}

/** The field of a type whose name is a key, in any casing. */
export function fieldOf(
  graphQLSchema: GraphQLSchema,
  typeName: string,
  key: string,
): GraphQLField<unknown, unknown> | undefined {
  const type = graphQLSchema.getType(typeName);
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  return fields.find(({ name }) => keyOf(name) === key);
}

/** The only field of an input if it is an object that the record has no value for. */
function wrapped(subject: InputSubject, id: string | undefined): InputSubject | undefined {
  const [only, ...others] = ownFields(subject.type).filter(({ name }) => name !== id);
  if (
    only === undefined || others.length > 0 ||
    isValue(subject, only.name)
  ) return undefined;
  if (subject.path.length === MAX_DEPTH) return undefined;
  const type = getNullableType(only.type);
  if (!isInputObjectType(type) || type === subject.type) return undefined;
  return { ...subject, type, path: joined(subject.path, only.name) };
}

function joined([first, ...rest]: ArgumentPath, name: string): ArgumentPath {
  return [first, ...rest, name];
}

function ownFields(type: GraphQLInputObjectType): InputField[] {
  return Object.values(type.getFields()).filter(({ name }) => name !== "clientMutationId");
}

/** Whether ids can be of a type: `ID`, `Int`, `String`, or a scalar such as `UUID`. */
function isId(type: GraphQLInputType): boolean {
  const nullable = getNullableType(type);
  return isLeafType(nullable) && !isEnumType(nullable) &&
    !["Boolean", "Float"].includes(nullable.name);
}

/** Whether a field contains ids, by its type or by its name. */
function isIdField({ name, type }: InputField): boolean {
  const named = getNamedType(type);
  if (isIdType(named)) return true;
  return isId(named) && /^ids?$/.test(wordsOf(name).at(-1) ?? "");
}

/** The values of an input, as a new object: all but the client's own id of the call. */
export function valuesIn(input: Values): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  // a rest pattern takes V8 several times as long
  for (const name of Object.keys(input)) {
    if (name !== "clientMutationId") values[name] = input[name];
  }
  return values;
}

/** An object type that values of an input are for. */
interface Holder {
  /** Names that lead from the input to its values. */
  readonly path: readonly string[];
  readonly model: MockModel | undefined;
  readonly type: GraphQLObjectType;
}

/**
 * The reason, which completes "it ...", to reject nested values for which the types have no field,
 * such as `author: { connect: { id: 1 } }`: they would be stored as attributes that nothing reads.
 * Plain values at the top level that the model's type lacks, such as a password, are accepted.
 */
export function unknownNested(
  context: WriteContext,
  model: MockModel,
  input: Values,
): string | undefined {
  const type = context.graphQLSchema.getType(model.typeName);
  if (!isObjectType(type)) return undefined;
  const nested = Object.keys(input).filter((name) => isNested(input[name]));
  return firstUnknown(
    nested,
    (name) => unknownValue(context, { path: [], model, type }, [name, input[name]]),
  );
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isNested) : isPlainObject(value);
}

function unknownValue(
  context: WriteContext,
  holder: Holder,
  [name, value]: readonly [string, unknown],
): string | undefined {
  const { model, type } = holder;
  if (value === undefined || (name === "id" && model !== undefined)) return undefined;
  const path = [...holder.path, name];
  const relation = model && relationNamed(model, name);
  if (relation !== undefined) {
    const related = context.models.ofModel(relation.modelName ?? "");
    const type = context.graphQLSchema.getType(related?.typeName ?? "");
    const inputs = isObjectType(type) ? context.nested?.inputsOf(type.name, value) : undefined;
    if (inputs !== undefined && isObjectType(type)) {
      return unknownItem(context, { path, model: related, type }, inputs);
    }
    const isById = relation.name !== name || !isObjectType(type);
    return isById ? undefined : unknownItem(context, { path, model: related, type }, value);
  }
  const field = type.getFields()[name];
  if (field === undefined) return `can't write "${path.join(".")}": ${type.name} has no such field`;
  const named = getNamedType(field.type);
  if (isObjectType(named)) {
    return unknownItem(
      context,
      { path, model: context.models.ofType(named.name), type: named },
      value,
    );
  }
  const isPlain = isScalarType(named) && isSpecifiedScalarType(named);
  const { nested } = context;
  const stored = nested?.valueOf({ typeName: type.name, name, value }, undefined);
  if (!isPlain || !isNested(nested === undefined ? value : stored)) return undefined;
  return `can't write "${
    path.join(".")
  }": it is an object, and ${type.name}.${name} is ${field.type}`;
}

function unknownItem(context: WriteContext, holder: Holder, value: unknown): string | undefined {
  if (Array.isArray(value)) {
    return firstUnknown(value, (item) => unknownItem(context, holder, item));
  }
  if (!isPlainObject(value)) return undefined;
  return firstUnknown(Object.entries(value), (entry) => unknownValue(context, holder, entry));
}

function firstUnknown<T>(
  items: readonly T[],
  unknownOf: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const unknown = unknownOf(item);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}
