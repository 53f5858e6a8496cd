import { createMock, type Mock, type ResolverMap } from "@trestle/mirage-graphql";
import { createSeeds } from "@trestle/mirage-graphql/seeds";
import { getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import { readSource } from "./schema_source.ts";
import { type GenerateRecord, readTables, type Tables } from "./records.ts";

/** What a mock is started from. */
export interface MockInput {
  /** The schema, in the schema definition language or as the JSON of an introspection. */
  readonly schemaText: string;
  /** Resolvers of the user. @default {{}} */
  readonly resolvers?: ResolverMap<unknown>;
  /** Tables that replace the generated ones. @default {{}} */
  readonly tables?: Tables;
  /** Milliseconds that each response takes; read for each. @default {() => 0} */
  readonly latency?: () => number;
}

/** A mock that has records. */
export interface StartedMock {
  readonly mock: Mock;
  /** What clients see as the schema. */
  readonly introspection: IntrospectionQuery;
  /** The records that were generated, before `tables` replaced some. */
  readonly generated: Tables;
  /** Generates the record of a table that follows `count` others. */
  readonly generate: GenerateRecord;
}

/**
 * Starts a mock with the defaults of `mirage-graphql serve`: conventions of all dialects, generated
 * records, unknown arguments ignored.
 *
 * @throws {Error} If the schema can't be mocked, or a resolver has no field.
 */
export async function startMock(input: MockInput): Promise<StartedMock> {
  const { schemaText, resolvers = {}, tables = {}, latency = () => 0 } = input;
  const source = readSource(schemaText);
  const mock = createMock(source, undefined, {
    conventions: "common",
    unknownArguments: "ignore",
    defaults: "generate",
    resolvers,
    latency,
    warnings: false,
  });
  const seeds = createSeeds(source, { conventions: "common" });
  mock.db.loadData(seeds);
  const generated = readTables(mock, Object.keys(seeds));
  replaceTables(mock, generated, tables);
  const introspection = await introspect(mock);
  const generate: GenerateRecord = ({ tableName, modelName, count }) => {
    const typeName = introspection.__schema.types.find(({ name }) =>
      withoutMarks(name) === withoutMarks(modelName)
    )?.name;
    if (typeName === undefined) return {};
    const counted = { [typeName]: count + 1 };
    return createSeeds(source, { conventions: "common", count: counted })[tableName]?.[count] ?? {};
  };
  return { mock, introspection, generated, generate };
}

/** `BlogPost`, `blog_post` and Mirage's `blog-post` are the same. */
function withoutMarks(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

/** Replaces only tables that the schema has: a link may be of another version of it. */
function replaceTables({ db }: Mock, generated: Tables, tables: Tables): void {
  for (const [name, records] of Object.entries(tables)) {
    if (!Object.hasOwn(generated, name)) continue;
    db[name]?.remove();
    db.loadData({ [name]: structuredClone(records) });
  }
}

/** Asks the mock, because only it knows which faults of the schema it ignores. */
async function introspect(mock: Mock): Promise<IntrospectionQuery> {
  const data = await mock.query(getIntrospectionQuery());
  // the log begins with what the user sends
  mock.reset();
  if (isIntrospection(data)) return data;
  throw new TypeError("Cannot read the schema back: the mock did not answer an introspection");
}

function isIntrospection(value: object): value is IntrospectionQuery {
  return "__schema" in value;
}
