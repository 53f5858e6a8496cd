import { createGraphQLHandler as createPeerHandler } from "@miragejs/graphql";
import { addMocksToSchema, createMockStore } from "@graphql-tools/mock";
import { buildSchema, graphql, parse, subscribe } from "graphql";
import { createServer } from "miragejs";
import { createGraphQLHandler, createGraphQLSubscriptions } from "../../mod.ts";
import { type GraphQLJit, loadPeer, type Msw } from "./packages.ts";

/** The body of a request. */
export interface GraphQLBody {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A mock with the same records as the others, and without a resolver. */
export interface Subject {
  /** The data of the response to a body or a multipart form. */
  send(request: GraphQLBody | FormData): Promise<unknown>;
  /** The data of a subscription's first event; rejects if there is none. */
  firstEvent(body: GraphQLBody): Promise<unknown>;
}

const SCHEMA = `
  scalar Upload
  type Person { id: ID! name: String! posts: [Post!]! }
  type Post { id: ID! title: String! author: Person cover: String }
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  type PersonEdge { cursor: String! node: Person! }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! }
  input PostInput { title: String! authorId: ID cover: Upload }
  type Query { people(name: String): [Person!]! posts: [Post!]! page(first: Int, after: String): PersonConnection! }
  type Mutation { createPost(input: PostInput!): Post! }
  type Subscription { postCreated: Post! }
`;

const TABLES = {
  people: [{ id: "1", name: "Ada", postIds: ["1"] }, { id: "2", name: "Grace", postIds: [] }],
  posts: [{ id: "1", title: "Notes", authorId: "1" }],
};

/** How each mock is created, by its name. */
export async function createSubjects(): Promise<ReadonlyMap<string, () => Subject>> {
  const jit = await loadPeer<GraphQLJit>("graphql-jit");
  const msw = await loadPeer<Msw>("msw");
  return new Map([
    ["mirage-graphql", createOurs],
    ["@miragejs/graphql", createMirageGraphQL],
    ["@graphql-tools/mock", createToolsMock],
    ["MSW", () => createMsw(msw)],
    ["graphql-jit", () => createJit(jit)],
  ]);
}

function createOurs(): Subject {
  const { schema, db } = createServer({ environment: "test" });
  const handler = createGraphQLHandler(SCHEMA, schema);
  const subscriptions = createGraphQLSubscriptions(SCHEMA, schema);
  db.loadData(TABLES);
  return {
    send: async (request) => (await handler(schema, { requestBody: toBody(request) })).data,
    firstEvent: (body) => firstOf(subscriptions.subscribe(body)),
  };
}

function toBody(request: GraphQLBody | FormData): string | FormData {
  return request instanceof FormData ? request : JSON.stringify(request);
}

async function firstOf(events: AsyncIterable<{ readonly data?: unknown }>): Promise<unknown> {
  for await (const { data } of events) return data;
  throw new TypeError("Cannot read an event: there is none");
}

function createMirageGraphQL(): Subject {
  const { schema, db } = createServer({ environment: "test" });
  const handler = createPeerHandler(SCHEMA, schema, {
    resolvers: {},
    context: {},
    root: undefined,
  });
  db.loadData(TABLES);
  return ofBodies(async (body) => {
    const requestBody = JSON.stringify(body);
    const request = { requestHeaders: {}, url: "/graphql", params: {}, queryParams: {} };
    return Object(await handler(schema, { ...request, requestBody })).data;
  });
}

/** A mock without uploads, and without subscriptions that need no resolver. */
function ofBodies(send: (body: GraphQLBody) => Promise<unknown>): Subject {
  return {
    send: (request) =>
      request instanceof FormData
        ? Promise.reject(new TypeError("Cannot read a form"))
        : send(request),
    firstEvent: ({ query }) => Promise.reject(new TypeError(`Cannot subscribe to "${query}"`)),
  };
}

function createToolsMock(): Subject {
  const schema = buildSchema(SCHEMA);
  const store = createMockStore({ schema });
  const [ada, grace] = TABLES.people.map(({ id, name }) => {
    store.set("Person", id, { id, name });
    return store.get("Person", id);
  });
  store.set("Post", "1", { id: "1", title: "Notes", author: ada });
  store.set("Person", "1", { posts: [store.get("Post", "1")] });
  store.set("Person", "2", { posts: [] });
  store.set("Query", "ROOT", "people", [ada, grace]);
  store.set("Query", "ROOT", "posts", [store.get("Post", "1")]);
  const mocked = addMocksToSchema({ schema, store });
  return {
    ...ofBodies(async ({ query, variables: variableValues }) =>
      (await graphql({ schema: mocked, source: query, variableValues })).data
    ),
    async firstEvent({ query }) {
      const events = await subscribe({ schema: mocked, document: parse(query) });
      return Symbol.asyncIterator in events ? await firstOf(events) : events.data;
    },
  };
}

/** Without a handler that is written for an operation, no operation is answered. */
function createMsw({ getResponse }: Msw): Subject {
  const send = async (sent: GraphQLBody | FormData) => {
    const request = new Request("http://localhost/graphql", { method: "POST", body: toBody(sent) });
    const response = await getResponse([], request);
    return (await response?.json())?.data;
  };
  return { send, firstEvent: send };
}

/** It executes: what it reads is an object, with the relations as references. */
function createJit({ compileQuery }: GraphQLJit): Subject {
  const schema = buildSchema(SCHEMA);
  const posts: object[] = [];
  const people = [{ name: "Ada", posts }, { name: "Grace", posts: [] }];
  posts.push({ title: "Notes", author: people[0] });
  return ofBodies(async ({ query, variables = {} }) => {
    const compiled = compileQuery(schema, parse(query));
    const result = "query" in compiled
      ? compiled.query({ people, posts }, {}, variables)
      : compiled;
    return (await result).data;
  });
}
