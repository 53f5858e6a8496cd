import { createGraphQLHandler as createPeerHandler } from "@miragejs/graphql";
import { execute } from "graphql";
import { createServer } from "miragejs";
import { createGraphQLHandler, type HandlerOptions } from "../mod.ts";
import { authorRows, peopleRows, petRows, SCHEMA, type Size } from "./data.ts";
import { createPlainSchema, createPrepared, fullName } from "./plain_arrays.ts";

/** Answers the body of a request, which is JSON; the result has `data`. */
export type Answer = (body: string) => unknown;

/** The implementations that are compared. */
export interface Contenders {
  readonly ours: Answer;
  /** The same with all conventions. */
  readonly common: Answer;
  readonly peer: Answer;
  readonly floor: Answer;
}

/** Creates the same records for each contender in its own database. */
export function createContenders(size: Size): Contenders {
  return {
    ours: createOurs(size),
    common: createOurs(size, { conventions: "common" }),
    peer: createPeer(size),
    floor: createFloor(size),
  };
}

const RESOLVERS = { Person: { fullName } };

/** Our handler, with the same resolver as the others. */
export function createOurs(size: Size, options: HandlerOptions = {}): Answer {
  const { schema } = createDatabase(size);
  const handler = createGraphQLHandler(SCHEMA, schema, { ...options, resolvers: RESOLVERS });
  return (body) => handler(schema, toRequest(body));
}

/** The handler of `@miragejs/graphql`. */
export function createPeer(size: Size): Answer {
  const { schema } = createDatabase(size);
  const handler = createPeerHandler(SCHEMA, schema, {
    resolvers: RESOLVERS,
    context: {},
    root: undefined,
  });
  return (body) => handler(schema, toRequest(body));
}

function toRequest(requestBody: string) {
  return { requestBody, requestHeaders: {}, url: "/graphql", params: {}, queryParams: {} };
}

/** A Mirage server with the records. */
export function createDatabase(size: Size) {
  const server = createServer({ environment: "test" });
  createGraphQLHandler(SCHEMA, server.schema); // makes the models
  const { cats, dogs } = petRows(size.pets);
  server.db.loadData({ people: peopleRows(size.people), cats, dogs, ...authorRows(size) });
  return server;
}

/** graphql-js over plain arrays, with a cache of parsed and validated documents. */
export function createFloor(size: Size): Answer {
  const schema = createPlainSchema(size);
  const documentOf = createPrepared(schema, (document) => document);
  return (body) => {
    const { query, variables } = JSON.parse(body);
    return execute({ schema, document: documentOf(query), variableValues: variables });
  };
}
