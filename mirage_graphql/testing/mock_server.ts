import { ok } from "node:assert/strict";
import { createServer } from "miragejs";
import { createGraphQLHandler, type HandlerOptions } from "../mod.ts";
import type { GraphQLSchemaSource } from "../schema/executable_schema.ts";

/** Rows by table name, as for Mirage's `db.loadData()`. */
export type Tables = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

type Models = NonNullable<NonNullable<Parameters<typeof createServer>[0]>["models"]>;

/** What a mock server is created with, in addition to the GraphQL schema. */
export interface MockServerOptions<Context> extends HandlerOptions<Context> {
  /** The user-defined models. */
  readonly models?: Readonly<Record<string, object>>;
  /** The content of the database. */
  readonly data?: Tables;
}

/** The data of a response, and the messages of its errors. */
export interface PlainAnswer {
  // the boundary: tests know what they requested
  // deno-lint-ignore no-explicit-any
  readonly data: any;
  readonly errors: readonly string[];
}

/** A Mirage server that answers GraphQL requests, with helpers for tests. */
export interface MockServer {
  readonly server: ReturnType<typeof createServer>;
  readonly handler: ReturnType<typeof createGraphQLHandler>;
  /** Sends a request and returns its response, as parsed from JSON. */
  answer(query: string, variables?: object): Promise<PlainAnswer>;
  /** Sends a request that must not fail, and returns its data. */
  data(query: string, variables?: object): Promise<PlainAnswer["data"]>;
  /** The rows of the whole database. */
  dump(): Tables;
  /** Sends a request and returns the messages of its errors. */
  errors(query: string, variables?: object): Promise<readonly string[]>;
}

/** Starts a real Mirage server with a handler; models are derived, then the data is loaded. */
export function createMockServer<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  options: MockServerOptions<Context> = {},
): MockServer {
  const { models, data = {}, ...handlerOptions } = options;
  const server = createServer({ environment: "test", models: { ...models } as Models });
  const handler = createGraphQLHandler(graphQLSchema, server.schema, handlerOptions);
  server.db.loadData(data);
  const answer: MockServer["answer"] = async (query, variables) => {
    const answered = await handler(server.schema, {
      requestBody: JSON.stringify({ query, variables }),
    });
    const plain = JSON.parse(JSON.stringify(answered.body));
    const messages = (plain.errors ?? []).map(({ message }: { message: string }) => message);
    return { data: plain.data, errors: messages };
  };
  return {
    server,
    handler,
    answer,
    dump: () => {
      const rows: unknown = server.db.dump();
      return rows as Tables;
    },
    data: async (query, variables) => {
      const { data, errors } = await answer(query, variables);
      ok(errors.length === 0, errors.join("\n"));
      return data;
    },
    errors: async (query, variables) => (await answer(query, variables)).errors,
  };
}
