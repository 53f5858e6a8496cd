import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isAbstractType,
  isLeafType,
  isObjectType,
} from "graphql";
import type { SessionOptions } from "../dialects/options.ts";
import type { Words } from "../dialects/dialect.ts";
import { inputsOf } from "../mutations/mutation_input.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { isList, possibleTypes } from "../schema/types.ts";
import { keyOf } from "../shared/names.ts";

type Field = GraphQLField<unknown, unknown>;

/** What a field of the schema does with a session. */
export type SessionVerb = "login" | "logout" | "signup";

/** Reads what the fields of one schema do with sessions, by the words of its dialects. */
export interface SessionFields {
  /** What a mutation does with a session; `undefined` for others. */
  verb(field: Field): SessionVerb | undefined;
  /** The model of the users that a mutation logs in; `undefined` if none has what identifies one. */
  userModel(field: Field): MockModel | undefined;
  /** Whether a field of the query type returns the user of a session. */
  isViewer(field: Field): boolean;
  /** The attributes of a model by which an input of a name finds a user. */
  keys(model: MockModel, inputName: string): readonly string[];
}

/** Names of inputs and attributes that identify a user, as `keyOf()` writes them. */
const IDENTIFYING = new RegExp(
  "^(e?mail|e?mailaddress|username|login|handle|identifier|identity|usernameoremail|" +
    "emailorusername|phone|phonenumber|nickname)$",
);

/** Names of texts that are the token of a session. */
const TOKEN = /(token|jwt)$/;

const VIEWER = /^(current|active|loggedin|authenticated|my|session)/;

/** What may stand beside a verb in the name of a mutation about sessions. */
const BESIDE = "user|customer|account|member|admin|viewer|with|by|and|or|the|e?mail|password|" +
  "username|credentials|native|external|api|web|new";

const KEYS: { readonly [Key in keyof Required<SessionOptions>]: "name" | "names" } = {
  user: "name",
  by: "name",
  login: "names",
  signup: "names",
  logout: "names",
  viewer: "names",
};

/**
 * Checks the option `sessions`.
 *
 * @throws {TypeError} If it has an unknown key, a value that is no name, or a type without a model.
 */
export function checkSessionOptions(options: SessionOptions, { models }: Orm): void {
  for (const [key, value] of Object.entries(Object(options))) {
    const kind = Object.entries(KEYS).find(([name]) => name === key)?.[1];
    if (kind === undefined) {
      throw new TypeError(
        `Cannot use the option "sessions" with "${key}": the keys are ${
          Object.keys(KEYS).join(", ")
        }`,
      );
    }
    const values: unknown[] = kind === "name" ? [value] : [value].flat();
    if (value === undefined || values.every((one) => typeof one === "string" && one !== "")) {
      continue;
    }
    throw new TypeError(
      `Cannot use the option "sessions.${key}" with ${JSON.stringify(value)}: it is a name` +
        (kind === "name" ? "" : " or a list of names"),
    );
  }
  const { user } = options;
  if (user === undefined || models.ofType(user) !== undefined) return;
  throw new TypeError(
    `Cannot use the option "sessions.user" with "${user}": no type with records has this name`,
  );
}

/** Reads the session fields of one schema. */
export function createSessionFields(orm: Orm, options: SessionOptions = {}): SessionFields {
  const { models, graphQLSchema, conventions: { dialects } } = orm;
  const isBeside = (text: string) => {
    const typeNames = models.models.filter(isUser).map(({ typeName }) => keyOf(typeName));
    return new RegExp(`^(${[BESIDE, ...typeNames].join("|")})*$`).test(text);
  };
  const wordsOf = (kind: keyof Words) =>
    dialects.flatMap(({ words }) => words?.[kind]?.split(" ") ?? []);
  const isOf = (kind: "login" | "logout" | "signup", name: string) => {
    const own = options[kind];
    if (own !== undefined) return [own].flat().includes(name);
    const key = keyOf(name);
    return wordsOf(kind).some((word) =>
      key.startsWith(word) && isBeside(key.slice(word.length)) ||
      key.endsWith(word) && isBeside(key.slice(0, -word.length))
    );
  };

  const fields: SessionFields = {
    verb({ name, args, type }) {
      if (isOf("logout", name)) return "logout";
      const identifies = () =>
        inputsOf(args).some((input) => isIdentifying(input.name) || isTokenName(input.name));
      if (isOf("login", name) && (options.login !== undefined || identifies())) return "login";
      // `createUser: User` makes another user, even if users have a token
      const holder = isModelType(type) && /create/i.test(name) ? undefined : type;
      return isOf("signup", name) && holder && hasToken(orm, holder) ? "signup" : undefined;
    },
    userModel({ type }) {
      if (options.user !== undefined) return models.ofType(options.user);
      const named = getNamedType(type);
      const inside = modelsIn(orm, named);
      const query = Object.values(graphQLSchema.getQueryType()?.getFields() ?? {});
      const viewed = query.filter(({ name }) => isViewerName(name))
        .flatMap((field) => modelsIn(orm, getNamedType(field.type)));
      const usual = models.models.filter(({ typeName }) =>
        /^(user|customer|account|member|person|viewer)$/i.test(typeName)
      );
      return [...inside, ...viewed, ...usual].find(isUser);
    },
    isViewer({ name, type, args }) {
      if (isList(type)) return false;
      if (options.viewer !== undefined) return [options.viewer].flat().includes(name);
      const model = models.ofType(getNamedType(type).name);
      const others = args.filter((argument) => !isTokenName(argument.name));
      if (model === undefined || !isUser(model) || others.length > 0) return false;
      return args.length > 0 || isViewerName(name) || keyOf(name) === keyOf(model.typeName);
    },
    keys(model, inputName) {
      const names = attributesOf(model).filter((name) => keyOf(name) === keyOf(inputName));
      if (options.by !== undefined) return [options.by];
      return names.length > 0 ? names : attributesOf(model).filter(isIdentifying);
    },
  };
  return fields;

  function isViewerName(name: string): boolean {
    return wordsOf("viewer").includes(keyOf(name)) || VIEWER.test(keyOf(name));
  }

  function isModelType(type: GraphQLOutputType): boolean {
    return models.ofType(getNamedType(type).name) !== undefined;
  }

  function isUser(model: MockModel): boolean {
    return options.by === undefined
      ? attributesOf(model).some(isIdentifying)
      : attributesOf(model).includes(options.by);
  }

  function attributesOf({ typeName }: MockModel): string[] {
    const type = graphQLSchema.getType(typeName);
    return isObjectType(type)
      ? Object.values(type.getFields()).filter(isLeaf).map(({ name }) => name)
      : [];
  }
}

/** Whether the name of an input, or of an attribute, identifies a user. */
export function isIdentifying(name: string): boolean {
  return IDENTIFYING.test(keyOf(name));
}

/** Whether a field or an argument of this name has the token of a session. */
export function isTokenName(name: string): boolean {
  return TOKEN.test(keyOf(name));
}

/** Whether a field has one plain value. */
export function isLeaf({ type }: Pick<Field, "type">): boolean {
  return isLeafType(getNamedType(type)) && !isList(type);
}

/** How deep the record or the token of a payload may be: `{ customerAccessToken { accessToken } }`. */
const MAX_DEPTH = 3;

/** The models of a type, or those that its fields lead to; of an union, those of each member. */
function modelsIn(orm: Orm, type: GraphQLNamedType, depth = 1): readonly MockModel[] {
  if (!isObjectType(type) && !isAbstractType(type)) return [];
  return possibleTypes(orm.graphQLSchema, type).flatMap((one): readonly MockModel[] => {
    const own = orm.models.ofType(one.name);
    if (own !== undefined) return [own];
    if (depth >= MAX_DEPTH) return [];
    return Object.values(one.getFields()).flatMap((field) =>
      modelsIn(orm, getNamedType(field.type), depth + 1)
    );
  });
}

/** Whether a type has the token of a session: in a field, in a user's field, or in an object. */
export function hasToken(orm: Orm, type: GraphQLOutputType, depth = 0): boolean {
  const named = getNamedType(type);
  if (depth >= MAX_DEPTH || !isObjectType(named) && !isAbstractType(named)) return false;
  return possibleTypes(orm.graphQLSchema, named).some((one) =>
    Object.values(one.getFields()).some((field) =>
      isLeaf(field)
        ? isTokenText(field)
        : !isList(field.type) && hasToken(orm, field.type, depth + 1)
    )
  );
}

/** Whether a field is a text with a token. */
export function isTokenText({ name, type }: Pick<Field, "name" | "type">): boolean {
  const { name: typeName } = getNamedType(type);
  return isTokenName(name) && isLeaf({ type }) && !/^(Boolean|Int|Float)$/.test(typeName);
}
