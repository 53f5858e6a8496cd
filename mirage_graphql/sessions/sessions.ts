import { type GraphQLField, type GraphQLObjectType, isObjectType } from "graphql";
import type { Resolve } from "../arguments/call.ts";
import type { WriteRules } from "../mutations/mutation.ts";
import type { TypedField } from "../mutations/typed_intent.ts";
import { NO_ITEM, type WriteIntent, type Written } from "../mutations/write_intent.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { responseIdOf } from "../orm/records/record_ids.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { storeAttributes } from "../orm/writes/transaction.ts";
import { writeError } from "../orm/writes/write_context.ts";
import { isAboutMail, passwordChange } from "./account_changes.ts";
import { findUser, hasPassword, knownUser, type Parts, tokenOf, valuesOf } from "./find_user.ts";
import { sessionAnswer, type SessionFacts } from "./session_answer.ts";
import { checkSessionOptions, createSessionFields, isTokenText } from "./session_fields.ts";
import { SessionStore } from "./session_store.ts";
import { viewerResolver } from "./viewer.ts";
import type { FollowedRule } from "../shared/followed_rule.ts";
import { isObject } from "../shared/values.ts";

type Field = GraphQLField<unknown, unknown>;

/** The sessions of one handler: the mutations that start and end them, and the fields of their user. */
export interface Sessions {
  /** Who is logged in. */
  readonly store: SessionStore;
  /** Adds the mutations about sessions to other rules; they come first. */
  withRules(rules: WriteRules): WriteRules;
  /** Makes a field of the query type that returns the user follow the session. */
  withViewer(parentType: GraphQLObjectType, field: Field, resolve: Resolve): Resolve;
}

/** Creates the sessions of a handler; they are read when the first request needs them. */
export function createSessions(orm: Orm): Sessions {
  checkSessionOptions(orm.conventions.sessionOptions, orm);
  const fields = createSessionFields(orm, orm.conventions.sessionOptions);
  const store = new SessionStore();
  const parts: Parts = { orm, fields, store };
  return {
    store,
    withRules: (rules) => ({
      ...rules,
      interpret: (subject, typed) =>
        sessionIntent(parts, subject) ?? rules.interpret(subject, typed),
      followed: (subject) => followedWord(parts, subject) ?? rules.followed(subject),
    }),
    withViewer(parentType, field, resolve) {
      if (parentType !== orm.graphQLSchema.getQueryType() || !fields.isViewer(field)) {
        return resolve;
      }
      return viewerResolver(parts, field, resolve);
    },
  };
}

/** What a mutation about sessions does; `undefined` for other mutations. */
function sessionIntent(parts: Parts, subject: TypedField): WriteIntent | undefined {
  const { field } = subject;
  const verb = parts.fields.verb(field);
  const model = verb && parts.fields.userModel(field);
  if (verb === "logout") return logoutIntent(parts, subject, model);
  if (verb === undefined) return passwordIntent(parts, subject) ?? mailIntent(parts, subject);
  if (model === undefined) return undefined;
  return verb === "login"
    ? loginIntent(parts, subject, model)
    : signupIntent(parts, subject, model);
}

/** The words of the dialect by which a mutation is about sessions. */
function followedWord(parts: Parts, subject: TypedField): FollowedRule | undefined {
  if (sessionIntent(parts, subject) === undefined) return undefined;
  const { field } = subject;
  const dialect = parts.orm.conventions.dialects.find(({ words }) => words !== undefined);
  const place = `words.${parts.fields.verb(field)}`;
  return dialect && { dialect: dialect.name, place, pattern: field.name };
}

/** Finds the user, and starts a session; writes nothing but the token that a user may have. */
function loginIntent(parts: Parts, subject: TypedField, model: MockModel): WriteIntent {
  const { field } = subject;
  return {
    ...baseOf(subject, [model]),
    read: (args) => {
      const { user } = findUser(parts, field, model, args);
      return user === undefined ? [] : [{ ...NO_ITEM, keys: { id: user.id }, values: {} }];
    },
    answer: startAnswer(parts, field, model),
    instead(args) {
      const { user, inputName, value } = findUser(parts, field, model, args);
      const label = `Cannot log in as "${value}"`;
      if (user === undefined) {
        const message = `${label}: no ${model.typeName} has this ${inputName}`;
        const known = knownUser(parts, model, inputName);
        if (known !== undefined) parts.orm.warnOnce(`${message}; one has "${known}"`);
        return refusal(parts, subject, model, { message, inputName });
      }
      return hasPassword(parts.orm, model, user, valuesOf(field, args))
        ? undefined
        : refusal(parts, subject, model, {
          message: `${label}: the password is another one`,
          inputName: "password",
        });
    },
  };
}

/** Creates a user, and starts a session. */
function signupIntent(parts: Parts, subject: TypedField, model: MockModel): WriteIntent {
  const { field } = subject;
  return {
    ...baseOf(subject, [model]),
    action: "create",
    read: (args) => [{ ...NO_ITEM, values: valuesOf(field, args) }],
    answer: startAnswer(parts, field, model),
    instead(args) {
      const { user, inputName, value } = findUser(parts, field, model, args);
      if (user === undefined) return undefined;
      const message = `Cannot sign up as "${value}": a ${model.typeName} has this ${inputName}`;
      return refusal(parts, subject, model, { message, inputName });
    },
  };
}

function logoutIntent(
  parts: Parts,
  subject: TypedField,
  model: MockModel | undefined,
): WriteIntent {
  return {
    ...baseOf(subject, model === undefined ? [] : [model]),
    read(args, call) {
      const { orm, store } = parts;
      const token = tokenOf(subject.field, args);
      const user = token === undefined ? store.userOf(call?.context) : store.userOfToken(token);
      store.end(call?.context, token);
      const isThere = user && orm.models.ofModel(user.modelName) === model &&
        model && orm.store.of(model).own(user.id);
      return isThere ? [{ ...NO_ITEM, keys: { id: user.id }, values: {} }] : [];
    },
    answer: plainAnswer(parts, subject, model),
  };
}

function passwordIntent(parts: Parts, subject: TypedField): WriteIntent | undefined {
  const change = passwordChange(
    parts,
    subject,
    (model) => (failure) => refusal(parts, subject, model, failure),
  );
  if (change === undefined) return undefined;
  const { model, ...intent } = change;
  return { ...baseOf(subject, [model]), ...intent, answer: plainAnswer(parts, subject, model) };
}

/** Confirms that an e-mail is sent or has come, which no record shows. */
function mailIntent(parts: Parts, subject: TypedField): WriteIntent | undefined {
  if (!isAboutMail(parts, subject)) return undefined;
  return {
    ...baseOf(subject, []),
    read: () => [],
    answer(written) {
      const { name } = subject.field;
      parts.orm.warnOnce(`The mock sends no e-mail: "${name}" succeeds and changes nothing`);
      return plainAnswer(parts, subject, undefined)(written);
    },
  };
}

/** The payload of a mutation that starts no session. */
function plainAnswer(
  { orm }: Parts,
  { field }: TypedField,
  model: MockModel | undefined,
): WriteIntent["answer"] {
  return (written) => sessionAnswer(orm, field, factsOf(orm, model, written));
}

/** What all mutations about sessions have in common: they find a record by its id in the table. */
function baseOf(
  { refuse }: TypedField,
  models: readonly MockModel[],
): Pick<WriteIntent, "action" | "models" | "isPartial" | "find" | "refuse"> {
  const [model] = models;
  return {
    ...{ action: "update", models, isPartial: false, refuse },
    find: ({ keys }) =>
      model === undefined
        ? []
        : [{ model, ref: { modelName: model.modelName, id: String(keys.id) } }],
  };
}

/** Reports a refused session in the payload, or else as an error. */
function refusal(
  { orm }: Parts,
  subject: TypedField,
  model: MockModel,
  failure: NonNullable<SessionFacts["failure"]>,
): WriteIntent {
  return {
    ...baseOf(subject, [model]),
    read: () => [],
    answer(written) {
      const value = sessionAnswer(orm, subject.field, {
        ...factsOf(orm, model, { ...written, values: [] }),
        ...{ token: undefined, failure },
      });
      if (value !== undefined) return value;
      throw writeError(failure.message, { code: "UNAUTHENTICATED" });
    },
  };
}

/** Starts the session of the record that was found or created, and fills the payload. */
function startAnswer({ orm, store }: Parts, field: Field, model: MockModel): WriteIntent["answer"] {
  return (written) => {
    const facts = factsOf(orm, model, written);
    if (!isObject(facts.user)) return null;
    const ref = { modelName: model.modelName, id: String(facts.user.id) };
    const token = store.start(ref);
    return sessionAnswer(orm, field, {
      ...facts,
      token,
      user: withToken(orm, model, facts.user, token),
    });
  };
}

/** Keeps the token in the user's record, if its type has a field for it. */
function withToken(
  orm: Orm,
  model: MockModel,
  user: Readonly<Record<string, unknown>>,
  token: string,
): unknown {
  const type = orm.graphQLSchema.getType(model.typeName);
  const own = isObjectType(type) ? Object.values(type.getFields()).find(isTokenText) : undefined;
  if (own === undefined) return user;
  const ref = { modelName: model.modelName, id: String(user.id) };
  storeAttributes(orm, ref, { [own.name]: token });
  return new MockRecord(model, { ...user, [own.name]: token });
}

function factsOf(
  orm: Orm,
  model: MockModel | undefined,
  { values: [user], clientMutationId }: Pick<Written, "values" | "clientMutationId">,
): SessionFacts {
  const id = isObject(user) && model ? responseIdOf(orm, model, user) : undefined;
  return {
    ...{ model, user, clientMutationId, token: undefined, failure: undefined },
    userId: id === undefined ? undefined : String(id),
  };
}
