import { getNamedType, type GraphQLField, isCompositeType, isLeafType } from "graphql";
import type { ResolverCall } from "../arguments/call.ts";
import type { TypedField } from "../mutations/typed_intent.ts";
import { NO_ITEM, type Values, type WriteIntent } from "../mutations/write_intent.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import { isList, possibleTypes } from "../schema/types.ts";
import { keyOf, wordsOf } from "../shared/names.ts";
import { findUser, hasPassword, type Parts, valuesOf } from "./find_user.ts";
import { ERROR, type SessionFacts } from "./session_answer.ts";
import { isIdentifying, isTokenName, isTokenText } from "./session_fields.ts";
import { inputsOf } from "../mutations/mutation_input.ts";

type Field = GraphQLField<unknown, unknown>;

/** Words for what an e-mail is sent about. */
const MAIL = /^(e?mail|password|verification|confirmation|activation|deletion|link|code)$/;
/** What a link in an e-mail confirms without changing anything that a query shows. */
const CONFIRMED = /^(e?mail|password|account|user|customer|registration)$/;
const USER = /^(user|customer|account|member|person|viewer)$/i;

/** What a mutation about a user's password or e-mail does, before it has an answer. */
export type AccountChange = Pick<WriteIntent, "read" | "instead"> & { readonly model: MockModel };

/** What a call is refused with, in the payload's own way. */
export type Fail = (failure: NonNullable<SessionFacts["failure"]>) => WriteIntent;

/**
 * What a mutation does to the password of the user who is logged in or who is named, as in
 * `changePassword(oldPassword, newPassword)`: later logins need the new one. `undefined` if the name
 * says nothing of that, or a token says whose it is.
 */
export function passwordChange(
  parts: Parts,
  { field, names }: TypedField,
  fail: (model: MockModel) => Fail,
): AccountChange | undefined {
  const words = wordsOf(field.name);
  const isChange = words.some((word) =>
    names.words.is("change", word) || names.words.is("update", word)
  );
  if (!isChange || !words.includes("password")) return undefined;
  const inputs = inputsOf(field.args).map(({ name }) => name);
  const password = inputs.find((name) => /^(new_?)?password$/i.test(name));
  const model = parts.fields.userModel(field);
  if (password === undefined || model === undefined) return undefined;
  const named = getNamedType(field.type);
  const isLogin = isCompositeType(named) && possibleTypes(parts.orm.graphQLSchema, named)
    .some((one) => Object.values(one.getFields()).some(isTokenText));
  if (inputs.some(isTokenName) || isLogin) return undefined;
  const old = inputs.find((name) => /^(old|current)_?password$/i.test(name));
  const identifying = inputs.find(isIdentifying);
  const userOf = (args: Values, call: ResolverCall | undefined) =>
    identifying !== undefined
      ? findUser(parts, field, model, args).user
      : callerOf(parts, model, call);
  return {
    model,
    read(args, call) {
      const user = userOf(args, call);
      if (user === undefined) return [];
      const { [password]: value } = valuesOf(field, args);
      return [{ ...NO_ITEM, keys: { id: user.id }, values: { password: value } }];
    },
    instead(args, call) {
      const user = userOf(args, call);
      const label = "Cannot change the password";
      if (user === undefined) {
        const state = identifying === undefined
          ? "nobody is logged in"
          : `nobody has this ${identifying}`;
        return fail(model)({ message: `${label}: ${state}`, inputName: identifying ?? password });
      }
      if (old === undefined) return undefined;
      const given = valuesOf(field, args)[old];
      return hasPassword(parts.orm, model, user, { password: given }) ? undefined : fail(model)({
        message: `${label}: "${old}" is another one`,
        inputName: old,
      });
    },
  };
}

/** The user of a request; the first one if nobody has logged in yet, as for `me`. */
function callerOf(
  { orm, store }: Parts,
  model: MockModel,
  call: ResolverCall | undefined,
): Values | undefined {
  const ref = store.userOf(call?.context);
  if (ref === undefined) return orm.store.of(model).first();
  return ref?.modelName === model.modelName ? orm.store.of(model).own(ref.id) : undefined;
}

/**
 * Whether a mutation asks for an e-mail, `requestPasswordReset(email)`, or says that one has come,
 * `verifyEmail(token)`. Its answer must say nothing but whether it succeeded.
 */
export function isAboutMail({ orm }: Parts, { field, names }: TypedField): boolean {
  const words = names.split(field.name);
  // an `emailAddress` is no `Address`
  const isOther = names.mentions(words).some(({ model, start }) =>
    !USER.test(model.typeName) && !MAIL.test(words[start - 1] ?? "")
  );
  if (isOther || !onlyReports(orm, field)) return false;
  if (words.some((word) => names.words.is("mail", word))) {
    return words.some((word) => MAIL.test(word));
  }
  const inputs = inputsOf(field.args).map(({ name }) => name);
  const isToken = (name: string) => isTokenName(name) || /code$/.test(keyOf(name));
  return /^(reset|verify|confirm|activate)$/.test(words[0] ?? "") && inputs.some(isToken) &&
    words.every((word, index) => index === 0 || CONFIRMED.test(word)) &&
    inputs.every((name) => !/id$/.test(keyOf(name)));
}

/** Whether a type can say that something succeeded, and shows no record and no token. */
function onlyReports(orm: Parts["orm"], { type }: Field): boolean {
  const named = getNamedType(type);
  if (isList(type)) return false;
  if (!isCompositeType(named)) return named.name === "Boolean";
  const members = possibleTypes(orm.graphQLSchema, named)
    .filter(({ name }, _index, all) => all.length === 1 || !ERROR.test(name));
  return members.length > 0 && members.every((member) => {
    const isOwn = orm.models.ofType(member.name) !== undefined && member.getFields().id;
    return !isOwn && Object.values(member.getFields()).every((one) => {
      const inner = getNamedType(one.type);
      if (isLeafType(inner)) return inner.name !== "ID" && !isTokenText(one);
      return inner === orm.graphQLSchema.getQueryType() || ERROR.test(one.name);
    });
  });
}
