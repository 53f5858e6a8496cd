import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import type * as component from "../mod.ts";
import { graphql, GraphQLSchema } from "graphql";
import { makeExecutableSchema } from "@graphql-tools/schema";
import { createServer, Response as MirageResponse } from "miragejs";
import {
  createGraphQLHandler,
  mirageGraphQLFieldResolver,
  mockGraphQLFieldResolver,
} from "../mod.ts";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type PageInfo { hasNextPage: Boolean! }
  type Page { id: ID! title: String }
  type PageEdge { cursor: String! node: Page! }
  type PageConnection { edges: [PageEdge!]! pageInfo: PageInfo! totalCount: Int }
  interface Named { name: String }
  type Person implements Named { id: ID! name: String posts(title: String): [Post!]! page(first: Int): PageConnection! }
  type Post { id: ID! title: String writer: Person log: Log }
  type Log { id: ID! }
  type Query { people(name: String): [Person!]! person(id: ID): Person named: [Named!]! hello: String }
`;

const DATA = {
  people: [{ id: "1", name: "Ada", postIds: ["1", "2"], pageIds: ["2", "1"] }, {
    id: "2",
    name: "Zoë",
  }],
  posts: [{ id: "1", title: "One", writerId: "1" }, { id: "2", title: "Two", writerId: "1" }],
  pages: [{ id: "1", title: "One" }, { id: "2", title: "Two" }],
};

/** Resolves "hello" with what the resolver receives, and returns that. */
async function seen(context: component.HandlerOptions["context"], request: object = {}) {
  // deno-lint-ignore no-explicit-any
  let found: any;
  const { server, handler } = createMockServer(SCHEMA, {
    context,
    resolvers: { Query: { hello: (_obj, _args, context) => void (found = context) } },
  });
  await handler(server.schema, { requestBody: JSON.stringify({ query: "{ hello }" }), ...request });
  return { found, server };
}

Deno.test("context: an object is in every resolver's context, with mockSchema and request", async () => {
  const { found, server } = await seen({ user: "Ada" }, { requestHeaders: { "X-Id": "7" } });
  strictEqual(found.user, "Ada");
  strictEqual(found.mockSchema, server.schema);
  strictEqual(found.mirageSchema, server.schema);
  strictEqual(found.request.requestHeaders["X-Id"], "7");
});

Deno.test("context: a function receives the request, and may be asynchronous", async () => {
  const byHeader = ({ requestHeaders }: { requestHeaders?: Record<string, string> | null }) => ({
    user: requestHeaders?.["X-User"],
  });
  const request = { requestHeaders: { "X-User": "Zoë" } };
  strictEqual((await seen(byHeader, request)).found.user, "Zoë");
  const later = async (request: { requestHeaders?: Record<string, string> | null }) => {
    await Promise.resolve();
    return byHeader(request);
  };
  const { found, server } = await seen(later, request);
  strictEqual(found.user, "Zoë");
  strictEqual(found.mockSchema, server.schema);
});

Deno.test("context: each request has its own", async () => {
  const contexts = new Set<unknown>();
  const { data } = createMockServer(SCHEMA, {
    context: { user: "Ada" },
    resolvers: { Query: { hello: (_obj, _args, context) => void contexts.add(context) } },
  });
  await data("{ hello again: hello }");
  await data("{ hello }");
  strictEqual(contexts.size, 2);
});

Deno.test("root: a value's properties and functions resolve fields at the root", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    context: { greeting: "Hi" },
    root: {
      hello: (_args: unknown, { greeting }: { greeting: string }) => greeting,
      people: ({ name }: { name: string }) => [{ id: "9", name, postIds: ["2"] }],
      person: { id: "2", name: "Root" },
    },
  });
  deepStrictEqual(
    await data(
      `{ hello people(name: "X") { id name posts { title } } person { name } named { name } }`,
    ),
    {
      hello: "Hi",
      people: [{ id: "9", name: "X", posts: [{ title: "Two" }] }],
      person: { name: "Root" },
      named: [{ name: "Ada" }, { name: "Zoë" }],
    },
  );
});

Deno.test("root: a function may return a Response, which is the whole response", async () => {
  const root = {
    hello: () => new MirageResponse(418, {}, { short: "stout" }),
    people: () => Promise.resolve(new MirageResponse(429)),
  };
  const { server, handler } = createMockServer(SCHEMA, { root });
  for (const [query, status] of [["{ hello }", 418], ["{ people { id } }", 429]]) {
    const answer = await handler(server.schema, { requestBody: JSON.stringify({ query }) });
    strictEqual(answer.toRackResponse()[0], status);
  }
});

Deno.test("the peer's names are the same objects", () => {
  strictEqual(mirageGraphQLFieldResolver, mockGraphQLFieldResolver);
});

Deno.test("mockGraphQLFieldResolver works with the peer's names", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        people(obj, args, context, info) {
          const people = mirageGraphQLFieldResolver<{ name: string }[]>(obj, args, context, info);
          return people.toReversed();
        },
        person: (_obj, { id }, { mirageSchema }) => mirageSchema.people.find(id),
      },
    },
  });
  deepStrictEqual(await data("{ people { name } person(id: 1) { name } }"), {
    people: [{ name: "Zoë" }, { name: "Ada" }],
    person: { name: "Ada" },
  });
});

const QUERY = `{
  people(name: "Ada") {
    __typename name
    posts(title: "One") { title writer { name } log { id } }
    page(first: 1) { edges { cursor node { title } } pageInfo { hasNextPage } totalCount }
  }
  named { __typename name }
  person(id: 2) { name posts { id } }
}`;

const ANSWER = {
  people: [{
    __typename: "Person",
    name: "Ada",
    posts: [{ title: "One", writer: { name: "Ada" }, log: null }],
    page: {
      edges: [{ cursor: btoa("Page:2"), node: { title: "Two" } }],
      pageInfo: { hasNextPage: true },
      totalCount: 2,
    },
  }],
  named: [{ __typename: "Person", name: "Ada" }, { __typename: "Person", name: "Zoë" }],
  person: { name: "Zoë", posts: [] },
};

for (const name of ["mockSchema", "mirageSchema"]) {
  Deno.test(`mockGraphQLFieldResolver is a fieldResolver of graphql(), with ${name} in the context`, async () => {
    const { schema: mockSchema, db } = createServer({ environment: "test" });
    const schema = makeExecutableSchema({ typeDefs: SCHEMA });
    const ask = () =>
      graphql({
        schema,
        source: QUERY,
        fieldResolver: mockGraphQLFieldResolver,
        contextValue: { [name]: mockSchema },
      });
    await ask();
    db.loadData(DATA);
    deepStrictEqual(JSON.parse(JSON.stringify(await ask())), { data: ANSWER });
  });
}

Deno.test("one GraphQLSchema is resolved from the database of each call's context", async () => {
  const schema = makeExecutableSchema({ typeDefs: SCHEMA });
  const ask = (mockSchema: object) =>
    graphql({
      schema,
      source: "{ people { name } }",
      fieldResolver: mockGraphQLFieldResolver,
      contextValue: { mockSchema },
    });
  const servers = ["Ada", "Zoë"].map((name) => {
    const server = createServer({ environment: "test" });
    createGraphQLHandler(SCHEMA, server.schema);
    server.db.loadData({ people: [{ id: "1", name }] });
    return server;
  });
  for (const [index, name] of ["Ada", "Zoë"].entries()) {
    const answer = await ask(servers[index]?.schema ?? {});
    deepStrictEqual(JSON.parse(JSON.stringify(answer)), { data: { people: [{ name }] } });
  }
});

Deno.test("handlers of one GraphQLSchema delegate to their own databases, and don't change it", async () => {
  const config = makeExecutableSchema({ typeDefs: SCHEMA }).toConfig();
  const schema = new GraphQLSchema({ ...config, extensions: { ours: true } });
  const queries = ["Ada", "Zoë"].map((name) => {
    const { schema: mockSchema, db } = createServer({ environment: "test" });
    const resolvers = { Query: { people: mockGraphQLFieldResolver } };
    const handler = createGraphQLHandler(schema, mockSchema, { resolvers });
    db.loadData({ people: [{ id: "1", name }] });
    return handler.query;
  });
  for (const [index, name] of ["Ada", "Zoë"].entries()) {
    deepStrictEqual(await queries[index]?.("{ people { name } }"), { people: [{ name }] });
  }
  deepStrictEqual(Reflect.ownKeys(schema.extensions), ["ours"]);
});

Deno.test("mockGraphQLFieldResolver in a copy of a handler's schema uses the copy's context", async () => {
  let copy: GraphQLSchema | undefined;
  const { schema: mockSchema, db } = createServer({ environment: "test" });
  const handler = createGraphQLHandler(SCHEMA, mockSchema, {
    resolvers: {
      Query: {
        people(obj, args, context, info) {
          copy = new GraphQLSchema(info.schema.toConfig());
          return mockGraphQLFieldResolver(obj, args, context, info);
        },
      },
    },
  });
  db.loadData({ people: [{ id: "1", name: "Ada" }] });
  deepStrictEqual(await handler.query("{ people { name } }"), { people: [{ name: "Ada" }] });

  const other = createServer({ environment: "test" });
  createGraphQLHandler(SCHEMA, other.schema);
  other.db.loadData({ people: [{ id: "1", name: "Zoë" }] });
  ok(copy !== undefined);
  const answer = await graphql({
    schema: copy,
    source: "{ people { name } }",
    contextValue: { mockSchema: other.schema },
  });
  deepStrictEqual(JSON.parse(JSON.stringify(answer)), { data: { people: [{ name: "Zoë" }] } });
});

Deno.test("mockGraphQLFieldResolver without a mockSchema is an error that says so", async () => {
  const schema = makeExecutableSchema({ typeDefs: SCHEMA });
  const { errors } = await graphql({
    schema,
    source: "{ people { name } }",
    fieldResolver: mockGraphQLFieldResolver,
    contextValue: {},
  });
  match(
    errors?.[0]?.message ?? "",
    /^Cannot resolve automatically: the context has no mockSchema/,
  );
});

Deno.test("createGraphQLHandler() rejects what is not a Mirage schema", async () => {
  await rejects(
    () => Promise.resolve().then(() => createGraphQLHandler(SCHEMA, { db: {} })),
    /Cannot use ".*" as the mock schema: it must be the schema of a Mirage server/,
  );
});
