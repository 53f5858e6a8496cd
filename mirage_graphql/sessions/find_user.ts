import { type GraphQLField, isObjectType } from "graphql";
import { inputsOf } from "../mutations/mutation_input.ts";
import { read } from "../mutations/typed_intent.ts";
import type { Values } from "../mutations/write_intent.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { isIdentifying, isTokenName, type SessionFields } from "./session_fields.ts";
import type { SessionStore } from "./session_store.ts";

type Field = GraphQLField<unknown, unknown>;

/** What the sessions of one handler share. */
export interface Parts {
  readonly orm: Orm;
  readonly fields: SessionFields;
  readonly store: SessionStore;
}

/** The arguments of a call, with the fields of input objects in their place. */
export function valuesOf({ args }: Field, given: Values): Values {
  return Object.fromEntries(
    inputsOf(args).map(({ name, path }) => [name, read(given, path)])
      .filter(([, value]) => value !== undefined),
  );
}

/** A user, and the input by which it was looked for. */
export interface FoundUser {
  readonly user: Readonly<Record<string, unknown>> | undefined;
  readonly inputName: string;
  readonly value: string;
}

/** The token among the arguments of a call. */
export function tokenOf(field: Field, args: Values): string | undefined {
  const [, token] = Object.entries(valuesOf(field, args))
    .find(([name, value]) => isTokenName(name) && isGiven(value)) ?? [];
  return token === undefined ? undefined : String(token);
}

/** The user of a token, or whom an input identifies; letters match in either case. */
export function findUser(
  { orm, fields, store }: Parts,
  field: Field,
  model: MockModel,
  args: Values,
): FoundUser {
  const entries = Object.entries(valuesOf(field, args));
  const token = entries.some(([name]) => isIdentifying(name)) ? undefined : tokenOf(field, args);
  const known = token === undefined ? undefined : store.userOfToken(token);
  if (token !== undefined) {
    const isOwn = known?.modelName === model.modelName;
    const user = isOwn ? orm.store.of(model).own(known.id) : undefined;
    return { user, inputName: "token", value: token };
  }
  const by = orm.conventions.sessionOptions.by;
  const [inputName = "", given] = entries.find(([name]) => name === by) ??
    entries.find(([name, value]) => isIdentifying(name) && isGiven(value)) ??
    entries.find(([, value]) => isGiven(value)) ?? [];
  const keys = fields.keys(model, inputName);
  const expected = textOf(given);
  const [user] = expected === ""
    ? []
    : orm.store.of(model).select((record) => keys.some((key) => textOf(record[key]) === expected));
  return { user, inputName, value: String(given ?? "") };
}

/** By what the first user could log in, for whoever doesn't know the sample records. */
export function knownUser(
  { orm, fields }: Parts,
  model: MockModel,
  inputName: string,
): string | undefined {
  const [first] = inputName === "token" ? [] : orm.store.of(model).select();
  const values = first === undefined ? [] : fields.keys(model, inputName).map((key) => first[key]);
  return values.find((value) => typeof value === "string");
}

export function isGiven(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

export function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value).toLowerCase();
}

/** A password counts if a sign-up has stored it; one that the type has is a sample of a text. */
export function hasPassword(
  { graphQLSchema }: Orm,
  { typeName }: MockModel,
  user: Readonly<Record<string, unknown>>,
  given: Values,
): boolean {
  const type = graphQLSchema.getType(typeName);
  const isSample = isObjectType(type) && type.getFields().password !== undefined;
  const { password } = user;
  if (isSample || typeof password !== "string" || given.password === undefined) return true;
  return password === given.password;
}
