/**
 * Generates records and factories from a GraphQL schema, for tests and demos.
 *
 * @module
 */
import { isObjectType } from "graphql";
import { Factory } from "miragejs";
import {
  type Conventions,
  isDialects,
  parseConventions,
  type ResolvedConventions,
} from "./dialects/options.ts";
import { createQuietServer } from "./orm/mirage/quiet_server.ts";
import { createOrm, type Orm } from "./orm/orm.ts";
import {
  type FieldValue,
  type GenerateOptions,
  generateTables,
  type SeedTables,
  type TypeValues,
} from "./seeding/generate_tables.ts";
import { describeTypes } from "./schema/describe_types.ts";
import { generateAttributes, type RecordCount } from "./seeding/generate_values.ts";
import { withSeed } from "./seeding/fakes.ts";
import { type GraphQLSchemaSource, toExecutableSchema } from "./schema/executable_schema.ts";
import { camelize } from "./shared/names.ts";

export type { FieldValue, GenerateOptions, RecordCount, SeedTables, TypeValues };
export type { Conventions, ConventionSwitches } from "./dialects/options.ts";
export type { Dialect } from "./dialects/dialect.ts";
export type {
  GraphQLSchemaSource,
  IntrospectionResult,
  TypeDefinitions,
} from "./schema/executable_schema.ts";

/** How the records of a schema are generated. */
export interface SeedOptions extends GenerateOptions {
  /**
   * The conventions of the handler that the records are for, which say what a page of records is.
   * @default {"strict"}
   */
  readonly conventions?: Conventions;
}

/**
 * Generates records of all types by the names of their tables, as `db.loadData()` takes them:
 * values that fit the names and types of the fields, and relations as foreign keys on both sides.
 * The same schema and options give the same records.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { createServer } from "miragejs";
 * import { createGraphQLHandler } from "@trestle/mirage-graphql";
 * import { createSeeds } from "@trestle/mirage-graphql/seeds";
 *
 * const graphQLSchema = `
 *   type Person { id: ID! name: String! posts: [Post!]! }
 *   type Post { id: ID! title: String! author: Person! }
 *   type Query { people(name: String): [Person!]! }
 * `;
 * const server = createServer({ environment: "test" });
 * const handler = createGraphQLHandler(graphQLSchema, server.schema);
 * server.db.loadData(createSeeds(graphQLSchema, {
 *   count: { Person: 3, Post: 10 },
 *   values: { Person: { name: (index) => `Person ${index + 1}` } },
 * }));
 *
 * const data = await handler.query(`{ people(name: "Person 3") { id } }`);
 * strictEqual(JSON.stringify(data), '{"people":[{"id":"3"}]}');
 * ```
 */
export function createSeeds(
  graphQLSchema: GraphQLSchemaSource,
  { conventions, ...options }: SeedOptions = {},
): SeedTables {
  return generateTables(createPlainOrm(graphQLSchema, conventions), options);
}

/** Models for whose factories Mirage overwrites members of its database. */
const OVERWRITING = new Set(["collection", "collections", "identity-manager", "identity-managers"]);

/** How factories generate values. */
export type FactoryOptions = Pick<SeedOptions, "seed" | "values" | "conventions">;

/**
 * Creates a factory for each type, for `createServer({ factories })`, which generates the fields
 * that are not relations. The same schema and options give the same values. Types such as
 * `Collection` have none: Mirage would create a table for the factory that overwrites its list of
 * tables.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { createServer } from "miragejs";
 * import { createGraphQLHandler } from "@trestle/mirage-graphql";
 * import { createFactories } from "@trestle/mirage-graphql/seeds";
 *
 * const graphQLSchema = `
 *   type Person { id: ID! name: String! email: String! }
 *   type Query { people: [Person!]! }
 * `;
 * const factories = createFactories(graphQLSchema, { values: { Person: { name: "Ada" } } });
 * const server = createServer({ environment: "test", factories });
 * createGraphQLHandler(graphQLSchema, server.schema);
 *
 * server.createList("person", 2);
 * strictEqual(server.db.people?.[1]?.name, "Ada");
 * ```
 */
export function createFactories(
  graphQLSchema: GraphQLSchemaSource,
  options: FactoryOptions = {},
): Record<string, ReturnType<typeof Factory.extend>> {
  const orm = createPlainOrm(graphQLSchema, options.conventions);
  const models = orm.models.models.filter(({ modelName }) => !OVERWRITING.has(modelName));
  return Object.fromEntries(models.map(({ modelName, typeName }) => {
    const key = camelize(modelName);
    return [key, Factory.extend(factoryFields(orm, typeName, options))];
  }));
}

/** A function of the record's position for each field. */
function factoryFields(
  orm: Orm,
  typeName: string,
  { seed = 0, values = {} }: FactoryOptions,
): Record<string, unknown> {
  const type = orm.graphQLSchema.getType(typeName);
  const model = orm.models.ofType(typeName);
  if (!isObjectType(type) || model === undefined) return {};
  const generate = (index: number) =>
    withSeed(seed, () => generateAttributes(orm, type, { model, index }));
  const names = Object.keys(generate(0));
  const fields = names.map((name) => [name, (index: number) => generate(index)[name]]);
  return { ...Object.fromEntries(fields), ...values[typeName] };
}

/**
 * Models and tables as a server without models of its own has them; it intercepts nothing in a page.
 * Relations are paired as with words of dialects, so that both sides agree with and without these.
 */
function createPlainOrm(graphQLSchema: GraphQLSchemaSource, conventions?: Conventions): Orm {
  const executableSchema = toExecutableSchema(graphQLSchema);
  return createOrm(executableSchema, createQuietServer().schema, shapesOf(conventions), {
    byPlural: true,
    describeTypes,
  });
}

/** What conventions say about types; dialects only explain arguments and mutations. */
function shapesOf(conventions: Conventions = "strict"): ResolvedConventions {
  if (conventions === "strict") return parseConventions();
  const all = { connections: true, aggregates: true };
  const { connections, aggregates } = conventions === "common" || isDialects(conventions)
    ? all
    : conventions;
  return parseConventions({ conventions: { connections, aggregates, dialects: [] } });
}
