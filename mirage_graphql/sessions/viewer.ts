import {
  getNamedType,
  GraphQLError,
  type GraphQLField,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { Resolve } from "../arguments/call.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import type { RecordRef } from "../orm/writes/record_ref.ts";
import { isGiven, type Parts, textOf } from "./find_user.ts";
import { isIdentifying, isTokenName, type SessionFields } from "./session_fields.ts";
import { isObject } from "../shared/values.ts";

type Field = GraphQLField<unknown, unknown>;

/** Resolves the user of the request's session, or of the token in its argument. */
export function viewerResolver(
  { orm, fields, store }: Parts,
  field: Field,
  resolve: Resolve,
): Resolve {
  const model = orm.models.ofType(getNamedType(field.type).name);
  const argument = field.args.find(({ name }) => isTokenName(name));
  const isPresent = createIsPresent(orm, fields);
  return (call) => {
    if (!isPresent() || isObject(call.source) && field.name in call.source) return resolve(call);
    const given = argument && call.args[argument.name];
    const user = isGiven(given) ? store.userOfToken(given) : store.userOf(call.context);
    if (user === undefined) return resolve(call);
    const record = user && model && recordOf(orm, fields, model, user);
    if (record !== undefined && record !== null) return record;
    if (record === undefined && user !== null) return resolve(call);
    if (!isNonNullType(field.type)) return null;
    throw new GraphQLError(`Cannot resolve Query.${field.name}: nobody is logged in`, {
      extensions: { code: "UNAUTHENTICATED" },
    });
  };
}

/** Whether the schema has a mutation about sessions; found once. */
function createIsPresent({ mutationTypes }: Orm, fields: SessionFields): () => boolean {
  let isPresent: boolean | undefined;
  return () =>
    isPresent ??= [...mutationTypes].filter(isObjectType)
      .flatMap((type) => Object.values(type.getFields()))
      .some((field) => fields.verb(field) !== undefined);
}

/**
 * The record of a session's user in a field's model: the user itself, or the record of another
 * model with the same email or name. `undefined` if there is none of another model, and `null` if the
 * user has been deleted.
 */
function recordOf(
  orm: Orm,
  fields: SessionFields,
  model: MockModel,
  { modelName, id }: RecordRef,
): unknown {
  const userModel = orm.models.ofModel(modelName);
  const user = userModel && orm.store.of(userModel).find(id);
  if (userModel === model || user === undefined) return user ?? null;
  const names = fields.keys(model, "");
  const values = new Set(
    Object.entries(user).filter(([name]) => isIdentifying(name)).map(([, one]) => textOf(one)),
  );
  return orm.store.of(model).first((record) =>
    names.some((name) => textOf(record[name]) !== "" && values.has(textOf(record[name])))
  );
}
