import type { GraphQLField, GraphQLObjectType, GraphQLResolveInfo, GraphQLSchema } from "graphql";
import { toResolverValue } from "../orm/resolver_object.ts";
import type { MockSchema } from "../orm/mirage/mirage_schema.ts";
import { createOrm } from "../orm/orm.ts";
import { createAutomaticResolver } from "./automatic.ts";
import type { MockOrm } from "./mock_orm.ts";
import type { Resolve, ResolverCall } from "../arguments/call.ts";
import { readProperty } from "../fields/source.ts";
import { isObject } from "../shared/values.ts";

/** Where the schema of a handler has its own {@linkcode FieldResolvers}. */
const RESOLVERS = Symbol("field resolvers");

/** Resolves fields of one schema automatically; a resolver is created once a field. */
class FieldResolvers {
  readonly #orm: MockOrm;
  readonly #byField = new Map<object, Resolve>();

  constructor(orm: MockOrm) {
    this.#orm = orm;
  }

  get graphQLSchema(): GraphQLSchema {
    return this.#orm.graphQLSchema;
  }

  get orm(): MockOrm {
    return this.#orm;
  }

  resolve(field: GraphQLField<unknown, unknown>, call: ResolverCall): unknown {
    const { parentType } = call.info;
    const resolve = valueFor(
      this.#byField,
      field,
      () => createResolver(this.#orm, parentType, field),
    );
    return toResolverValue(this.#orm, resolve(call));
  }
}

/**
 * Lets {@linkcode mockGraphQLFieldResolver} find an ORM. It has only the four arguments of a
 * resolver, so the schema in `info` carries what it needs, in its `extensions`.
 */
export function addFieldResolvers(orm: MockOrm): void {
  const { graphQLSchema } = orm;
  const extensions = { ...graphQLSchema.extensions, [RESOLVERS]: new FieldResolvers(orm) };
  graphQLSchema.extensions = extensions;
}

/**
 * Those of schemas that no handler has, such as a user's own in the context of another executor; one
 * GraphQL schema may be used with several databases. They are kept, because nothing that the user
 * passes may be changed.
 */
const others = new WeakMap<GraphQLSchema, WeakMap<MockSchema, FieldResolvers>>();

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
  const resolvers = resolversOf(info.schema, context);
  const field = info.parentType.getFields()[info.fieldName];
  return field && resolvers.resolve(field, { source: obj, args, context, info });
}

/** The ORM that the resolvers of a schema use. */
export function ormOf(graphQLSchema: GraphQLSchema, context: unknown): MockOrm {
  return resolversOf(graphQLSchema, context).orm;
}

function createResolver(
  orm: MockOrm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve {
  return createAutomaticResolver(orm, parentType, field, { isExplicit: true }) ??
    ((call) => readProperty(call.source, field.name, call));
}

function resolversOf(graphQLSchema: GraphQLSchema, context: unknown): FieldResolvers {
  const known: unknown = Reflect.get(graphQLSchema.extensions, RESOLVERS);
  // a copy of a handler's schema has the same extensions, and other types
  if (known instanceof FieldResolvers && known.graphQLSchema === graphQLSchema) return known;
  const mockSchema = mockSchemaOf(context);
  const ofSchema = valueFor(others, graphQLSchema, () => new WeakMap<MockSchema, FieldResolvers>());
  return valueFor(
    ofSchema,
    mockSchema,
    () => new FieldResolvers(createOrm(graphQLSchema, mockSchema)),
  );
}

/** The value of a key; it is created if there is none. */
function valueFor<Key extends object, Value>(
  map: Pick<WeakMap<Key, Value>, "get" | "set">,
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
