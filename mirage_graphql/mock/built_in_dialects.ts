import { amplify as amplifyData } from "../dialects/amplify.ts";
import { checkDialect } from "../dialects/check_dialect.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { general as generalData } from "../dialects/general.ts";
import { hasura as hasuraData } from "../dialects/hasura.ts";
import { keystone as keystoneData } from "../dialects/keystone.ts";
import { pgGraphql as pgGraphqlData } from "../dialects/pg_graphql.ts";
import { postgraphile as postgraphileData } from "../dialects/postgraphile.ts";
import { prisma as prismaData } from "../dialects/prisma.ts";
import { relay as relayData } from "../dialects/relay.ts";
import { strapi as strapiData } from "../dialects/strapi.ts";
import { createCountResolver } from "../fields/count.ts";
import { createListArguments } from "../arguments/list_arguments.ts";
import { LIST_GUESSES } from "../arguments/list_guesses.ts";
import { LIST_READING } from "../arguments/list_reading.ts";
import { createFactResolver } from "../fields/page_facts.ts";
import { createScalarConnectionResolver } from "../fields/scalar_connection.ts";
import { createSharedListResolver, createSharedPageResolver } from "../fields/shared_page.ts";
import { guessIntent } from "../mutations/by_dialect/guess_intent.ts";
import { createWriteRules } from "../mutations/by_dialect/write_rules.ts";
import { createRelationReader } from "../orm/writes/related_record.ts";
import type { Follow } from "../orm/writes/write_context.ts";
import type { Orm } from "../orm/orm.ts";
import type { DefinedDialect, DialectEngine, Totals } from "../resolvers/mock_orm.ts";
import { fieldOf } from "../schema/types.ts";
import { describeTypes } from "../schema/describe_types.ts";
import { createSessions } from "../sessions/sessions.ts";
import { createConventionalEvents } from "../subscriptions/conventional_events.ts";

/** The code that follows the rules of dialects. */
const RULES: DialectEngine = {
  describeTypes,
  createConventionalEvents,
  createListArguments,
  createCountResolver,
  createFactResolver,
  createScalarConnectionResolver,
  createSharedPageResolver,
  createSharedListResolver,
  createWriteRules: (orm) => createWriteRules(orm),
  reading: LIST_READING,
};

/** The same, and the code that interprets names by words, which is for dialects that have some. */
const GUESSES: DialectEngine = /* @__PURE__ */ withGuesses(RULES);

function withGuesses(engine: DialectEngine): DialectEngine {
  return {
    ...engine,
    createWriteRules: (orm) => createWriteRules(orm, guessIntent),
    createTotals,
    createSessions,
    guesses: LIST_GUESSES,
  };
}

/** The code of totals, which is loaded for schemas that have records with a quantity. */
function createTotals(orm: Orm): Totals | undefined {
  const { graphQLSchema, models: { models } } = orm;
  const hasQuantity = models.some(({ typeName }) =>
    fieldOf(graphQLSchema, typeName, "quantity") ?? fieldOf(graphQLSchema, typeName, "qty")
  );
  if (!hasQuantity || !graphQLSchema.getMutationType()) return undefined;
  let follow: Follow | undefined;
  let loading: Promise<void> | undefined;
  const load = async () => {
    const { followTotals } = await import("../totals/follow_totals.ts");
    follow = followTotals({ ...orm, relationsOf: createRelationReader(orm) });
  };
  const warn = (cause: unknown) => orm.warnOnce(`Cannot keep totals: ${Object(cause).message}`);
  return {
    follow: (writes) => follow?.(writes),
    before: (others) => ({
      restore() {
        const restored = others?.restore();
        if (follow !== undefined) return restored;
        loading ??= load().catch(warn);
        return loading.then(() => restored);
      },
      reset: () => others?.reset(),
    }),
  };
}

/**
 * Makes a dialect of an object: checks it, and adds the code that follows dialects, which the entry
 * `./core` does not have.
 *
 * @throws {TypeError} If it has a key or a value that dialects don't have; the message lists those
 * that they have.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { createMock } from "@trestle/mirage-graphql/core";
 * import { defineDialect } from "@trestle/mirage-graphql/dialects";
 *
 * const ours = defineDialect({
 *   name: "ours",
 *   mutations: {
 *     "archive{Record}": { does: "update", id: "key", set: { archived: true }, gives: "record" },
 *   },
 * });
 * const mock = createMock(
 *   `type Post { id: ID! archived: Boolean }
 *    type Query { posts: [Post!]! }
 *    type Mutation { archivePost(id: ID!): Post }`,
 *   undefined,
 *   { conventions: [ours] },
 * );
 * mock.db.loadData({ posts: [{ id: "1" }] });
 * const data = await mock.query("mutation { archivePost(id: 1) { archived } }");
 * deepStrictEqual(data, { archivePost: { archived: true } });
 * ```
 */
export function defineDialect(dialect: Dialect): Dialect {
  checkDialect(dialect);
  return withCode(dialect, dialect.words === undefined ? RULES : GUESSES);
}

function withCode(dialect: Dialect, engine: DialectEngine = RULES): DefinedDialect {
  return { ...dialect, engine };
}

/** The API that Hasura makes of a database: `update_posts(where: { id: { _eq: 1 } }, _set: {})`. */
export const hasura: Dialect = /* @__PURE__ */ withCode(hasuraData);
/** The API that Prisma's generators make: `updateManyPost(where: { views: { gt: 1 } }, data: {})`. */
export const prisma: Dialect = /* @__PURE__ */ withCode(prismaData);
/** The API of Keystone: `updatePosts(data: [{ where: { id: 1 }, data: {} }])`. */
export const keystone: Dialect = /* @__PURE__ */ withCode(keystoneData);
/** The API that PostGraphile makes of a database: `updatePostById(input: { id: 1, postPatch: {} })`. */
export const postgraphile: Dialect = /* @__PURE__ */ withCode(postgraphileData);
/** The API that AWS Amplify makes of models: `updatePost(input: { id: 1 }, condition: {})`. */
export const amplify: Dialect = /* @__PURE__ */ withCode(amplifyData);
/** The API of Strapi 5: `updatePost(documentId: "a", data: {})`. */
export const strapi: Dialect = /* @__PURE__ */ withCode(strapiData);
/** The API of pg_graphql, which Supabase uses: `updatePostCollection(set: {}, filter: {})`. */
export const pgGraphql: Dialect = /* @__PURE__ */ withCode(pgGraphqlData);
/** The specifications of Relay: cursor connections, and nodes by their id. */
export const relay: Dialect = /* @__PURE__ */ withCode(relayData);
/** APIs that are made by hand: names are interpreted by the words in them. */
export const general: Dialect = /* @__PURE__ */ withCode(generalData, GUESSES);

/** All of them, the most specific first: what `"common"` stands for. */
export const COMMON: readonly Dialect[] = [
  hasura,
  prisma,
  keystone,
  postgraphile,
  amplify,
  strapi,
  pgGraphql,
  relay,
  general,
];
