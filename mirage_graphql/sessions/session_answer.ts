import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { leafDefault } from "../schema/leaf_default.ts";
import { isList, possibleTypes } from "../schema/types.ts";
import { keyOf } from "../shared/names.ts";
import { isTokenText } from "./session_fields.ts";

type Field = Pick<GraphQLField<unknown, unknown>, "name" | "type">;

/** What a mutation about sessions reports. */
export interface SessionFacts {
  readonly model: MockModel | undefined;
  /** The user's record; `undefined` if nobody is logged in. */
  readonly user: unknown;
  /** The user's id in the form of responses. */
  readonly userId: string | undefined;
  readonly token: string | undefined;
  /** Why the session was refused, and the input that was wrong; `undefined` for a success. */
  readonly failure: { readonly message: string; readonly inputName: string } | undefined;
  readonly clientMutationId: unknown;
}

/** How deep objects of a payload are filled. */
const MAX_DEPTH = 3;

/** Thrown where a payload must have a value that the session doesn't have. */
class NoValue extends Error {}

/**
 * The value of a mutation about sessions, by the names and types of its payload: `{ token user
 * errors }`, `{ success message }`, a member of a union, the user itself, or a token.
 * `undefined` if its type can't report the failure.
 */
export function sessionAnswer(orm: Orm, field: Field, facts: SessionFacts): unknown {
  const named = getNamedType(field.type);
  const { failure } = facts;
  if (isLeafType(named)) {
    if (named.name === "Boolean") return failure === undefined;
    return failure === undefined ? facts.token ?? facts.userId ?? null : undefined;
  }
  try {
    const value = createFiller(orm, facts).top(field);
    return failure !== undefined && value === null ? undefined : value;
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
}

function createFiller(orm: Orm, facts: SessionFacts) {
  const { failure, model } = facts;
  const isUserType = (name: string) => name === model?.typeName;
  const membersOf = (type: GraphQLOutputType): readonly GraphQLObjectType[] => {
    const named = getNamedType(type);
    return isObjectType(named) || isAbstractType(named)
      ? possibleTypes(orm.graphQLSchema, named)
      : [];
  };
  return { top };

  function top({ type }: Field): unknown {
    const members = membersOf(type);
    const user = members.find(({ name }) => isUserType(name));
    if (failure === undefined && user !== undefined) return facts.user ?? null;
    const isError = ({ name }: GraphQLObjectType) => ERROR.test(name);
    const [first] = failure === undefined
      ? members.filter((one) => members.length === 1 || !isError(one))
      : members.length > 1
      ? [...members.filter(({ name }) => CREDENTIALS.test(name)), ...members.filter(isError)]
      : members.filter(({ name }) => !isUserType(name) && orm.models.ofType(name) === undefined);
    if (first === undefined) return null;
    return members.length > 1 || failure === undefined || canFail(first)
      ? objectOf(first, 1)
      : null;
  }

  /** Whether a payload can say that a session was refused. */
  function canFail(type: GraphQLObjectType): boolean {
    return Object.values(type.getFields()).some((field) =>
      ERROR.test(field.name) || SUCCESS.test(field.name)
    );
  }

  function objectOf(type: GraphQLObjectType, depth: number): Record<string, unknown> {
    const fields = Object.values(type.getFields());
    const values = fields.map((field) => [field.name, valueOf(type, field, depth)]);
    return { __typename: type.name, ...Object.fromEntries(values) };
  }

  function valueOf(parent: GraphQLObjectType, field: Field, depth: number): unknown {
    const { name, type } = field;
    const named = getNamedType(type);
    if (isList(type)) return listOf(field, depth);
    const value = isLeafType(named) ? leafOf(parent, field) : compositeOf(field, depth);
    if (value !== undefined && value !== null) return value;
    if (!isNonNullType(type)) return null;
    if (!isLeafType(named) || isTokenText(field)) throw new NoValue();
    return leafDefault(named, name);
  }

  function listOf({ name, type }: Field, depth: number): unknown {
    const isOfErrors = ERROR.test(name) || ERROR.test(getNamedType(type).name);
    if (failure === undefined || !isOfErrors) return isNonNullType(type) || isOfErrors ? [] : null;
    if (isLeafType(getNamedType(type))) return [failure.message];
    const [first] = membersOf(type);
    return first === undefined || depth >= MAX_DEPTH ? [] : [objectOf(first, depth + 1)];
  }

  function compositeOf({ name, type }: Field, depth: number): unknown {
    const named = getNamedType(type);
    if (named === orm.graphQLSchema.getQueryType()) return {};
    const members = membersOf(type);
    if (members.some((one) => isUserType(one.name))) return facts.user;
    const [first] = members;
    if (first === undefined || depth >= MAX_DEPTH || orm.models.ofType(first.name)) return null;
    const isError = ERROR.test(name) || ERROR.test(first.name);
    if (isError) return failure === undefined ? null : objectOf(first, depth + 1);
    const hasToken = Object.values(first.getFields()).some(isTokenText);
    return hasToken && facts.token !== undefined ? objectOf(first, depth + 1) : null;
  }

  function leafOf(parent: GraphQLObjectType, field: Field): unknown {
    const { name, type } = field;
    const key = keyOf(name);
    const named = getNamedType(type);
    if (isTokenText(field)) return facts.token;
    if (key === "clientmutationid") return facts.clientMutationId;
    if (named.name === "Boolean") return SUCCESS.test(name) ? failure === undefined : undefined;
    if (isEnumType(named)) return failure && enumOf(named.getValues(), parent.name);
    if (/^expires(in)?$|^expires?(at|on)$/.test(key)) return expiryOf(named.name);
    if (/id$/.test(key)) return failure === undefined ? facts.userId : undefined;
    if (failure === undefined) return undefined;
    if (/message|reason|detail|error|description/.test(key)) return failure.message;
    return /^(field|path|input|argument)$/.test(key) ? failure.inputName : undefined;
  }
}

/** Names of types and fields that say that something failed. */
export const ERROR = /error|problem|fail|invalid|denied|exception/i;
const CREDENTIALS = /invalid|credential|auth.*(fail|error)|(login|signin).*(fail|error)/i;
const SUCCESS = /^(is_?)?(ok|success|successful|succeeded|valid|authenticated|loggedin)$|^status$/i;

/** The values of error codes about a login, as `keyOf()` writes them, the most specific first. */
const CODES = [
  /invalidcredentials/,
  /unauth/,
  /unidentified|unknown(user|customer)/,
  /invalid/,
  /notfound/,
];

/** The value of an enum that is named after its type, or that is about credentials. */
function enumOf(
  values: readonly { readonly name: string; readonly value: unknown }[],
  typeName: string,
): unknown {
  const own = values.find(({ name }) => keyOf(name) === keyOf(typeName));
  const found = CODES.map((code) => values.find(({ name }) => code.test(keyOf(name))));
  return ([own, ...found].find((one) => one !== undefined) ?? values[0])?.value;
}

/** A time in the next century, or a day in seconds. */
function expiryOf(typeName: string): unknown {
  return /int|float|long/i.test(typeName) ? 86_400 : "2100-01-01T00:00:00.000Z";
}
