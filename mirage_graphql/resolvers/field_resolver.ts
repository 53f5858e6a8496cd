import type { GraphQLField, GraphQLObjectType, GraphQLResolveInfo, GraphQLSchema } from "graphql";
import { toResolverValue } from "../orm/resolver_object.ts";
import { isObject, type MockSchema } from "../orm/mirage/mirage_schema.ts";
import { createOrm, type Orm } from "../orm/orm.ts";
import { createAutomaticResolver } from "./automatic.ts";
import type { Resolve } from "../arguments/call.ts";
import { readProperty } from "../fields/source.ts";

/** The ORMs of handlers; each handler has its own GraphQL schema. */
const registered = new WeakMap<GraphQLSchema, Orm>();
/** The ORMs of calls without a handler; one GraphQL schema may be used with several databases. */
const others = new WeakMap<GraphQLSchema, WeakMap<MockSchema, Orm>>();
const resolvers = new WeakMap<Orm, WeakMap<object, Resolve>>();

/** Registers the ORM that {@linkcode mockGraphQLFieldResolver} uses for a schema. */
export function registerOrm(orm: Orm): void {
  registered.set(orm.graphQLSchema, orm);
}

/**
 * Returns what automatic resolution would return for a field, so that a user-defined resolver can
 * build on it. Records are plain objects with their attributes, their `__typename`, and their
 * relations as Mirage's models and collections.
 *
 * Call it with the four arguments of the resolver; before that, delete from `args` what the
 * resolver handles itself. `Result` is the type that the caller expects.
 *
 * @example Sort what automatic resolution returns
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { createServer } from "miragejs";
 * import { createGraphQLHandler, mockGraphQLFieldResolver } from "@trestle/mirage-graphql";
 *
 * const server = createServer({});
 * const handler = createGraphQLHandler(
 *   `type Person { id: ID!, name: String! }
 *    type Query { people(name: String, sorted: Boolean): [Person!]! }`,
 *   server.schema,
 *   {
 *     resolvers: {
 *       Query: {
 *         people(obj, args, context, info) {
 *           delete args.sorted;
 *           const people = mockGraphQLFieldResolver<{ name: string }[]>(obj, args, context, info);
 *           return people.sort((a, b) => a.name.localeCompare(b.name));
 *         },
 *       },
 *     },
 *   },
 * );
 * server.db.loadData({ people: [{ name: "Zoe" }, { name: "Ada" }] });
 *
 * const data = await handler.query("{ people(sorted: true) { name } }");
 * deepStrictEqual(data, { people: [{ name: "Ada" }, { name: "Zoe" }] });
 * ```
 */
export function mockGraphQLFieldResolver<Result = unknown>(
  obj: unknown,
  args: Record<string, unknown>,
  context: unknown,
  info: GraphQLResolveInfo,
): Result;
export function mockGraphQLFieldResolver(
  obj: unknown,
  args: Record<string, unknown>,
  context: unknown,
  info: GraphQLResolveInfo,
): unknown {
  const orm = ormOf(info.schema, context);
  const field = info.parentType.getFields()[info.fieldName];
  if (field === undefined) return undefined;
  const known = valueFor(resolvers, orm, () => new WeakMap<object, Resolve>());
  const resolve = valueFor(known, field, () => createResolver(orm, info.parentType, field));
  return toResolverValue(orm, resolve({ source: obj, args, context, info }));
}

function createResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve {
  return createAutomaticResolver(orm, parentType, field, { isExplicit: true }) ??
    ((call) => readProperty(call.source, field.name, call));
}

function ormOf(graphQLSchema: GraphQLSchema, context: unknown): Orm {
  const known = registered.get(graphQLSchema);
  if (known !== undefined) return known;
  const mockSchema = mockSchemaOf(context);
  const ofSchema = valueFor(others, graphQLSchema, () => new WeakMap<MockSchema, Orm>());
  return valueFor(ofSchema, mockSchema, () => createOrm(graphQLSchema, mockSchema));
}

/** The value of a key; it is created if there is none. */
function valueFor<Key extends object, Value>(
  map: WeakMap<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}

function mockSchemaOf(context: unknown): MockSchema {
  const mockSchema = isObject(context) ? context.mockSchema ?? context.mirageSchema : undefined;
  if (isMockSchema(mockSchema)) return mockSchema;
  throw new TypeError(
    "Cannot resolve automatically: the context has no mockSchema; pass on the context that the " +
      "resolver was called with",
  );
}

function isMockSchema(value: unknown): value is MockSchema {
  return isObject(value) && isObject(value.db);
}
