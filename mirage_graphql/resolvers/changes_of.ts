import type { GraphQLResolveInfo } from "graphql";
import { CHANGE_KINDS, type ChangeKind } from "../orm/records/record_changes.ts";
import type { ResolverObject } from "../schema/resolver_map.ts";
import { openChanges } from "../subscriptions/subscription.ts";
import { ormOf } from "./field_resolver.ts";

/** What can happen to a record. */
export type { ChangeKind };

/** A resolver of a subscription's field, whose events are records. */
export interface ChangesResolver {
  /** Starts to report changes. */
  subscribe(
    obj: unknown,
    args: Record<string, unknown>,
    context: unknown,
    info: GraphQLResolveInfo,
  ): AsyncIterable<object>;
  /** Returns the record. */
  resolve(record: ResolverObject): unknown;
}

/**
 * Creates the resolver of a subscription's field whose name doesn't say what it reports: the records
 * of a model that are created, updated or deleted from then on, whatever writes them.
 *
 * @param model The name of the model or its type.
 * @param fits Chooses records by the arguments of the field. @default {() => true}
 * @throws {TypeError} If something else than these three can happen; on subscribing, if there is no
 * such model.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { changesOf, createMock } from "@trestle/mirage-graphql";
 *
 * const mock = createMock(
 *   `type Link { id: ID! url: String! topic: String }
 *    type Query { links: [Link!]! }
 *    type Subscription { arrivals(topic: String!): Link }`,
 *   undefined,
 *   {
 *     resolvers: {
 *       Subscription: {
 *         arrivals: changesOf("link", "created", (link, args) => link.topic === args.topic),
 *       },
 *     },
 *   },
 * );
 * const results = mock.subscribe({ query: `subscription { arrivals(topic: "a") { url } }` });
 * mock.db.loadData({ links: [{ url: "/1", topic: "b" }, { url: "/2", topic: "a" }] });
 *
 * for await (const { data } of results) {
 *   deepStrictEqual(JSON.parse(JSON.stringify(data)), { arrivals: { url: "/2" } });
 *   break;
 * }
 * ```
 */
export function changesOf(
  model: string,
  kind: ChangeKind,
  fits: (record: ResolverObject, args: Record<string, unknown>) => boolean = () => true,
): ChangesResolver {
  if (!CHANGE_KINDS.includes(kind)) {
    const kinds = CHANGE_KINDS.map((one) => `"${one}"`).join(", ");
    throw new TypeError(`Cannot report changes "${kind}" of "${model}": the changes are ${kinds}`);
  }
  return {
    subscribe(_obj, args, context, info) {
      const orm = ormOf(info.schema, context);
      const found = orm.models.ofType(model) ?? orm.models.ofModel(model);
      if (found !== undefined) {
        return openChanges(orm, { model: found, kind }, (record) => fits(record, args));
      }
      const names = orm.models.models.map(({ modelName }) => modelName);
      throw new TypeError(
        `Cannot report changes of "${model}": the models are ${names.join(", ")}`,
      );
    },
    resolve: (record) => record,
  };
}
