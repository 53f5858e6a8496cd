import { getNamedType, isLeafType } from "graphql";
import { findRefs, matchKeys } from "../../arguments/where.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { noRecordState } from "../../orm/records/record_ids.ts";
import type { RecordRef } from "../../orm/writes/record_ref.ts";
import { writeError } from "../../orm/writes/write_context.ts";
import { isList } from "../../schema/types.ts";
import { keyOf } from "../../shared/names.ts";
import { isGiven } from "../../shared/values.ts";
import { fieldOf, typeKeys } from "../mutation_input.ts";

/**
 * The attribute by which a value identifies a record of a model, going by its name: `id` for
 * `postId`, `post_ids` and the `commentId` of an `IssueComment`, and `slug` for `postSlug`.
 */
export function keyNamed(
  { graphQLSchema, models }: Orm,
  { typeName, key }: MockModel,
  name: string,
): string | undefined {
  if (name === key?.name) return name;
  const own = keyOf(name);
  const stem = typeKeys(typeName).find((one) => own.startsWith(one) && own.length > one.length);
  if (stem === undefined) return undefined;
  // `artworkId` is that of an `Artwork`, if there is such a type, rather than of a `SaleArtwork`
  const isOther = stem !== keyOf(typeName) &&
    models.models.some((other) => keyOf(other.typeName) === stem);
  if (isOther) return undefined;
  const rest = own.slice(stem.length);
  if (rest === "id" || rest === "ids") return "id";
  const attribute = IDENTIFYING.test(rest) ? fieldOf(graphQLSchema, typeName, rest) : undefined;
  const isPlain = attribute !== undefined && isLeafType(getNamedType(attribute.type)) &&
    !isList(attribute.type);
  return isPlain ? attribute.name : undefined;
}

/** Attributes, in lower case, that are called after what they identify. */
export const IDENTIFYING =
  /^(slug|handle|code|key|number|email|login|username|token|uuid|guid|nodeid|documentid|sku)$/;

/** A record that a call refers to, or those of a list. */
export interface Reference {
  readonly model: MockModel;
  /** The attribute whose values the argument has. */
  readonly key: string;
}

/** Whether a value of a call refers to a record that exists. */
export function isReferred(orm: Orm, { model, key }: Reference, value: unknown): boolean {
  return findRefs(orm, model, [matchKeys(orm, model, { [key]: value })]).length > 0;
}

/**
 * The records that a value of a call refers to, in its order.
 *
 * @param action What is done to them, for errors.
 * @throws {GraphQLError} If one doesn't exist, or several do: code `NOT_FOUND` or `BAD_USER_INPUT`.
 */
export function findReferred(
  orm: Orm,
  references: readonly Reference[],
  value: unknown,
  action = "find",
): RecordRef[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter(isGiven).map((one) => {
    const found = references.flatMap(({ model, key }) =>
      findRefs(orm, model, [matchKeys(orm, model, { [key]: one })])
    );
    const [ref, other] = found;
    const names = references.map(({ model }) => model.typeName);
    const label = `${names.join(" or ")} "${one}"`;
    if (other !== undefined) {
      throw writeError(`Cannot ${action} ${label}: ${found.length} records are called that`);
    }
    if (ref !== undefined) return ref;
    throw writeError(`Cannot ${action} ${label}: ${noRecordState(orm, names, one)}`, {
      code: "NOT_FOUND",
    });
  });
}
