import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import { buildSchema, GraphQLError } from "graphql";
import { createHandler } from "graphql-http/lib/use/fetch";
import { createServer } from "miragejs";
import { createFetchHandler, type MockFetchHandlerOptions } from "../mock/fetch_handler.ts";
import { createGraphQLHandler } from "../mock/handler.ts";
import { createFetchInterceptor } from "../intercept/fetch_interceptor.ts";

/** The API has orders, which the mock lacks; the mock has people, which the API lacks. */
const API = `
  type Order { id: ID! total: Int! }
  type Query { orders(first: Int): [Order!]!, failing: String, broken: Int!, who: String }
  type Mutation { placeOrder(total: Int!): Order! }
`;
const MOCK = `
  type Person { id: ID! name: String! }
  type Query { people: [Person!]! }
`;
const BOTH = `
  type Order { id: ID! total: Int! }
  type Person { id: ID! name: String! }
  type Query {
    orders(first: Int): [Order!]!, failing: String, broken: Int!, who: String, people: [Person!]!
  }
  type Mutation { placeOrder(total: Int!): Order!, createPerson(name: String!): Person! }
`;
const ORDERS = "query GetOrders { orders { total } }";
const PEOPLE = "query People { people { name } }";
const TOTALS = { data: { orders: [{ total: 7 }, { total: 9 }] } };
const NAMES = { data: { people: [{ name: "Ada" }] } };

/** A GraphQL API on a port of this machine, which records its requests. */
function startApi() {
  const asked: { method: string; authorization: string | null; body: string }[] = [];
  const orders = [{ id: "1", total: 7 }, { id: "2", total: 9 }];
  const handler = createHandler({
    schema: buildSchema(API),
    rootValue: {
      orders: ({ first }: { first?: number }) => orders.slice(0, first),
      failing: () => {
        throw new GraphQLError("no stock", { extensions: { code: "EMPTY" } });
      },
      broken: () => null,
      who: "the API",
      placeOrder: ({ total }: { total: number }) => ({ id: "3", total }),
    },
  });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { method, headers } = request;
    const body = await request.clone().text();
    asked.push({ method, authorization: headers.get("authorization"), body });
    return await handler(request);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/graphql`,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function serve(options: MockFetchHandlerOptions, graphQLSchema = MOCK) {
  const { schema, db } = createServer({ environment: "test" });
  const handler = createFetchHandler(graphQLSchema, schema, options);
  db.loadData({ people: [{ name: "Ada" }] });
  return handler;
}

function ask(url: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

async function read(response: Response | Promise<Response>): Promise<unknown> {
  const { status } = await response;
  return [status, await (await response).json()];
}

Deno.test("passthrough sends operations to the address of their request, with its headers", async () => {
  await using api = startApi();
  const handler = serve({ passthrough: ["GetOrders"] });
  const body = { query: ORDERS, variables: {} };
  const response = await handler(ask(api.url, body, { authorization: "Bearer a" }));
  strictEqual(response.headers.has("content-length"), false);
  deepStrictEqual(await read(response), [200, TOTALS]);
  const sent = { method: "POST", authorization: "Bearer a", body: JSON.stringify(body) };
  deepStrictEqual(api.asked, [sent]);
  deepStrictEqual(await read(handler(ask(api.url, { query: PEOPLE }))), [200, NAMES]);
  strictEqual(api.asked.length, 1);
});

Deno.test("passthrough takes a function, and finds the operation by its name", async () => {
  await using api = startApi();
  const handler = serve({
    passthrough: ({ name, type, variables }) =>
      name === "GetOrders" && type === "query" && variables.live === true,
  });
  const query = `query Other { orders { id } } ${ORDERS}`;
  const body = { query, operationName: "GetOrders", variables: { live: true } };
  deepStrictEqual(await read(handler(ask(api.url, body))), [200, TOTALS]);
  const people = { query: PEOPLE, operationName: "People", variables: { live: true } };
  deepStrictEqual(await read(handler(ask(api.url, people))), [200, NAMES]);
  await handler(ask(api.url, { ...body, variables: {} }));
  strictEqual(api.asked.length, 1);
});

Deno.test("passthrough works by GET, in batches, and for requests of event streams", async () => {
  await using api = startApi();
  const handler = serve({ passthrough: ["GetOrders"], batch: true });
  const url = `${api.url}?query=${encodeURIComponent(ORDERS)}`;
  deepStrictEqual(await read(handler(new Request(url))), [200, TOTALS]);
  const batch = [{ query: PEOPLE }, { query: ORDERS }];
  deepStrictEqual(await read(handler(ask(api.url, batch))), [200, [NAMES, TOTALS]]);
  const events = ask(api.url, { query: ORDERS }, { accept: "text/event-stream, application/json" });
  strictEqual((await handler(events)).status, 200);
  deepStrictEqual(api.asked.map(({ method }) => method), ["GET", "POST", "POST"]);
});

Deno.test("an operation that passes through can be planned to fail, and not be run directly", async () => {
  await using api = startApi();
  const handler = serve({ passthrough: ["GetOrders"] });
  handler.failNext("GetOrders", 503);
  strictEqual((await handler(ask(api.url, { query: ORDERS }))).status, 503);
  await rejects(handler.query(ORDERS), /Cannot query field "orders"/);
  strictEqual(api.asked.length, 0);
});

Deno.test("an operation that passes through to an unreachable API is a 500 with the reason", async () => {
  const handler = serve({ passthrough: ["GetOrders"] });
  const [status, body] = await read(
    handler(ask("http://127.0.0.1:1/graphql", { query: ORDERS })),
  ) as [number, { errors: { message: string }[] }];
  strictEqual(status, 500);
  strictEqual(body.errors[0]?.message.startsWith("Cannot run the operation: "), true);
});

Deno.test("passthrough from a route of Mirage reaches the real network", async () => {
  await using api = startApi();
  using interceptor = createFetchInterceptor({ origin: new URL(api.url).origin });
  const { schema, db } = createServer({ ...interceptor, environment: "test" });
  interceptor.post("/graphql", createGraphQLHandler(MOCK, schema, { passthrough: ["GetOrders"] }));
  db.loadData({ people: [{ name: "Ada" }] });
  deepStrictEqual(await read(fetch(ask(api.url, { query: ORDERS }))), [200, TOTALS]);
  deepStrictEqual(await read(fetch(ask(api.url, { query: PEOPLE }))), [200, NAMES]);
  strictEqual(api.asked.length, 1);
});

/** A mock that has people; everything else is from the API. */
function serveBoth(url: string) {
  const resolvers = {
    Query: { people: () => [{ id: "1", name: "Ada" }], who: () => "the mock" },
    Mutation: { createPerson: (_: unknown, { name }: { name: string }) => ({ id: "2", name }) },
  };
  return serve({ mergeInto: url, resolvers }, BOTH);
}

Deno.test("mergeInto answers fields without a resolver from the API, in the order of the document", async () => {
  await using api = startApi();
  const handler = serveBoth(api.url);
  const query = `query Both($first: Int, $all: Boolean!) {
    a: people { name } ...Rest b: orders(first: $first) { total } __typename
  }
  fragment Rest on Query { who orders @include(if: $all) { ...Total } c: people { id } }
  fragment Total on Order { total }`;
  const variables = { first: 1, all: true };
  const headers = { authorization: "Bearer a" };
  deepStrictEqual(await read(handler(ask("http://mock/graphql", { query, variables }, headers))), [
    200,
    {
      data: {
        a: [{ name: "Ada" }],
        who: "the mock",
        orders: [{ total: 7 }, { total: 9 }],
        c: [{ id: "1" }],
        b: [{ total: 7 }],
        __typename: "Query",
      },
    },
  ]);
  const [sent] = api.asked;
  strictEqual(sent?.authorization, "Bearer a");
  deepStrictEqual(JSON.parse(sent?.body ?? "").variables, variables);
});

Deno.test("mergeInto requests only the API's fields from it, and nothing if there are none", async () => {
  await using api = startApi();
  const handler = serveBoth(api.url);
  deepStrictEqual(await handler.query("{ people { name } who }"), {
    people: [{ name: "Ada" }],
    who: "the mock",
  });
  strictEqual(api.asked.length, 0);
  const query = "query ($total: Int!, $name: String!) { orders { total } }";
  deepStrictEqual(await handler.query(query.replace(/\(.*?\) /, "")), TOTALS.data);
  const { query: document } = JSON.parse(api.asked[0]?.body ?? "");
  strictEqual(document.includes("people"), false);
  const mutation = `mutation ($total: Int!, $name: String!) {
    createPerson(name: $name) { name } placeOrder(total: $total) { id }
  }`;
  deepStrictEqual(await handler.query(mutation, { total: 5, name: "Bo" }), {
    createPerson: { name: "Bo" },
    placeOrder: { id: "3" },
  });
  const { variables } = JSON.parse(api.asked[1]?.body ?? "");
  deepStrictEqual(variables, { total: 5 });
});

Deno.test("mergeInto returns the API's errors, with their paths and extensions", async () => {
  await using api = startApi();
  const handler = serveBoth(api.url);
  const [, partial] = await read(handler(ask("http://mock/", { query: "{ failing who }" }))) as [
    number,
    Record<string, unknown>,
  ];
  deepStrictEqual(partial, {
    data: { failing: null, who: "the mock" },
    errors: [{ message: "no stock", path: ["failing"], extensions: { code: "EMPTY" } }],
  });
  const [, nulled] = await read(handler(ask("http://mock/", { query: "{ broken who }" }))) as [
    number,
    { data: unknown; errors: object[] },
  ];
  deepStrictEqual([nulled.data, nulled.errors.length], [null, 1]);
});

Deno.test("mergeInto reports an API that is unreachable, or that returns something else", async () => {
  const away = serveBoth("http://127.0.0.1:1/graphql");
  await rejects(away.query("{ failing who }"), /Cannot reach the API "http:\/\/127\.0\.0\.1:1\//);
  await using page = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("<html>", { status: 502 }),
  );
  await rejects(serveBoth(`http://127.0.0.1:${page.addr.port}/`).query("{ failing }"), {
    message: 'Cannot return data: Cannot read the response of the API: HTTP status 502, "<html>"',
  });
});

Deno.test("mergeInto leaves skipped fields out when the API fails", async () => {
  const handler = serveBoth("http://127.0.0.1:1/graphql");
  const query = `query ($all: Boolean = false, $few: Boolean!) {
    failing who people @include(if: $all) { name } ...Rest @skip(if: $few)
  }
  fragment Rest on Query { broken }`;
  const body = { query, variables: { few: true } };
  const [, { data }] = await read(handler(ask("http://mock/", body))) as [number, { data: object }];
  deepStrictEqual(data, { failing: null, who: "the mock" });
});

Deno.test("mergeInto accepts an API's errors of null, and the alias __proto__", async () => {
  await using api = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response('{"data": {"__proto__": [{"total": 7}]}, "errors": null}'),
  );
  const handler = serveBoth(`http://127.0.0.1:${api.addr.port}/`);
  const query = "{ __proto__: orders { total } who }";
  const text = await (await handler(ask("http://mock/", { query }))).text();
  strictEqual(text, '{"data":{"__proto__":[{"total":7}],"who":"the mock"}}');
});

Deno.test("invalid options of passing through are rejected", () => {
  // @ts-expect-error a name is not a list
  throws(() => serve({ passthrough: "GetOrders" }), {
    name: "TypeError",
    message: 'Cannot use passthrough "GetOrders": it must be a list of operation names, or a ' +
      "function of an operation",
  });
  throws(() => serve({ mergeInto: "/graphql" }), {
    name: "TypeError",
    message: 'Cannot use mergeInto "/graphql": it must be the address of an API',
  });
});
