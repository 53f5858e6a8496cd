import { execute, type ExecutionResult, type GraphQLSchema } from "graphql";
import { Response as RouteResponse } from "miragejs";
import { type Answer, createFloor, createOurs, createPeer } from "../contenders.ts";
import type { Size } from "../data.ts";
import { createPlainSchema, createPrepared } from "../plain_arrays.ts";
import { createDatabaseSchema } from "./database_rows.ts";
import { type GraphQLJit, loadPeer, type Msw, type MswGraphQL } from "./packages.ts";
import { createMockedSchema } from "./tools_mock.ts";

/** A mock that answers the body of a request, which is JSON. */
export interface Contender {
  /** What its route handler returns; `undefined` if that is text already. */
  readonly respond: Answer | undefined;
  /** The body of its response. */
  readonly toText: (body: string) => Promise<string>;
}

/** The mocks that are compared, by name; each has the same records. */
export async function createPeerContenders(size: Size): Promise<ReadonlyMap<string, Contender>> {
  return new Map([
    ["mirage-graphql", ofRoute(createOurs(size))],
    ["graphql-jit", await createJit(createPlainSchema(size))],
    ["graphql-jit, Mirage", await createJit(createDatabaseSchema(size))],
    ["graphql-js", ofRoute(createFloor(size))],
    ["MSW", await createMsw(size)],
    ["@graphql-tools/mock", ofRoute(createToolsMock(size))],
    ["@miragejs/graphql", ofRoute(createPeer(size))],
  ]);
}

function ofRoute(respond: Answer): Contender {
  return { respond, toText: async (body) => JSON.stringify(bodyOf(await respond(body))) };
}

/** The GraphQL response in a Mirage `Response`, or the value itself. */
function bodyOf(response: unknown): unknown {
  return response instanceof RouteResponse ? response.toRackResponse()[2] : response;
}

/**
 * A route handler that a user would write for `graphql-jit`: the documents are compiled once. Mirage
 * needs a `Response`, because it sends a plain object with the status 201.
 */
async function createJit(schema: GraphQLSchema): Promise<Contender> {
  const { compileQuery } = await loadPeer<GraphQLJit>("graphql-jit");
  const compiledOf = createPrepared(schema, (document) => {
    const compiled = compileQuery(schema, document);
    if ("query" in compiled) return compiled;
    throw new Error(`Cannot compile a document: ${compiled.errors?.[0]?.message}`);
  });
  return ofRoute(async (body) => {
    const { query, variables } = JSON.parse(body);
    const answered = compiledOf(query).query(undefined, {}, variables);
    const result = answered instanceof Promise ? await answered : answered;
    return new RouteResponse(200, { "Content-Type": "application/json" }, result);
  });
}

/** A handler for all operations, by graphql-js, as in the documentation of MSW. */
async function createMsw(size: Size): Promise<Contender> {
  const { getResponse, HttpResponse } = await loadPeer<Msw>("msw");
  const { graphql } = await loadPeer<MswGraphQL>("msw/graphql");
  const schema = createPlainSchema(size);
  const documentOf = createPrepared(schema, (document) => document);
  const handler = graphql.link(ADDRESS).operation(async ({ query, variables }) => {
    const document = documentOf(query);
    const { errors, data } = await execute({ schema, document, variableValues: variables });
    return HttpResponse.json({ errors, data });
  });
  const headers = { "Content-Type": "application/json" };
  return {
    respond: undefined,
    toText: async (body) => {
      const response = await getResponse(
        [handler],
        new Request(ADDRESS, { method: "POST", body, headers }),
      );
      if (response === undefined) throw new Error("Cannot compare MSW: it has not answered");
      return await response.text();
    },
  };
}

const ADDRESS = "http://localhost/graphql";

function createToolsMock(size: Size): Answer {
  const schema = createMockedSchema(size);
  const documentOf = createPrepared(schema, (document) => document);
  return (body): ExecutionResult | Promise<ExecutionResult> => {
    const { query, variables } = JSON.parse(body);
    return execute({ schema, document: documentOf(query), variableValues: variables });
  };
}
