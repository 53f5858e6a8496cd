import { withCommon } from "../../mock/common_conventions.ts";
import type { GraphQLSchema } from "graphql";
import { type ConventionOptions, parseConventions } from "../../dialects/options.ts";
import { createOrm } from "../../orm/orm.ts";
import { type GraphQLSchemaSource, toExecutableSchema } from "../../schema/executable_schema.ts";
import type { ResolverMap } from "../../schema/resolver_map.ts";
import { generateTables } from "../../seeding/generate_tables.ts";
import { insertSeeds, insertTables } from "../../serving/insert_seeds.ts";
import { loadMock } from "../../serving/load_mock.ts";
import { parseSeeds } from "../../serving/read_seeds.ts";
import { createMockServer } from "../../testing/mock_server.ts";
import { type KnownRecords, knownRecords } from "./known_records.ts";
import type { Operation } from "./random_query.ts";
import type { Subject } from "./subjects.ts";

/** The result of a request; `errors` has the messages. */
export interface Answer {
  readonly data?: unknown;
  readonly errors: readonly string[];
}

/** A mock that answers requests. */
export type Mock = (operation: Operation) => Promise<Answer>;

/** Our mock of a schema, and its records. */
export interface Ours {
  readonly mock: Mock;
  readonly known: KnownRecords;
  /** The schema that it executes. */
  readonly schema: GraphQLSchema;
}

/** Creates the resolvers that a mock has. */
export type ResolversOf = (schema: GraphQLSchema) => ResolverMap;

/** The options that `serve` sets. */
const OPTIONS: ConventionOptions = {
  conventions: "common",
  unknownArguments: "ignore",
  defaults: "generate",
};

/** Creates our mock, with the subject's records or those that `serve` generates. */
export function createOurs(subject: Subject, resolversOf?: ResolversOf): Ours {
  const source = sourceOf(subject);
  const schema = toExecutableSchema(source);
  const options = { ...OPTIONS, resolvers: resolversOf?.(schema) };
  const { server, answer } = createMockServer(source, options);
  const orm = createOrm(schema, server.schema, parseConventions(withCommon(OPTIONS)));
  if (subject.seeds === undefined) insertTables(orm, generateTables(orm));
  else insertSeeds(orm, parseSeeds(orm, subject.seeds));
  return {
    mock: ({ query, variables }) => answer(query, variables),
    known: knownRecords(orm),
    schema,
  };
}

/** Loads the schema as `serve` does; resolves with the error if it can't. */
export async function serveSubject({ path, text, seeds }: Subject): Promise<string | undefined> {
  try {
    const seedFile = seeds === undefined ? undefined : { path: "seeds.json", text: seeds };
    const mock = await loadMock([{ path, text }], { seedFile });
    const response = await mock.respond(new Request("http://localhost/?query={__typename}"));
    await response.body?.cancel();
    mock.close();
    return response.ok ? undefined : `HTTP ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sourceOf({ path, text }: Subject): GraphQLSchemaSource {
  return path.endsWith(".json") ? JSON.parse(text) : text;
}
