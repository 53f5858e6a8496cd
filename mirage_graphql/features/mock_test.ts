import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { createClient } from "graphql-ws";
import { createServer } from "miragejs";
import { createMock, type Mock } from "../mod.ts";
import { createWebSocketInterceptor } from "../ws.ts";

const SCHEMA = `
  type Person { id: ID! name: String! }
  type Query { people: [Person!]! }
  input PersonInput { name: String! }
  type Mutation { createPerson(input: PersonInput!): Person! }
  type Subscription { personCreated: Person! }
`;
const ADDRESS = "https://api.test/graphql";
const BODY = JSON.stringify({ query: "query People { people { name } }" });
const ANSWER = { data: { people: [{ name: "Ada" }] } };

function createPeople(): Mock {
  const mock = createMock(SCHEMA);
  mock.db.loadData({ people: [{ name: "Ada" }] });
  return mock;
}

function post(): Request {
  const headers = { "content-type": "application/json" };
  return new Request(ADDRESS, { method: "POST", headers, body: BODY });
}

async function first(url: string): Promise<unknown> {
  const client = createClient({ url, retryAttempts: 0 });
  try {
    const { query } = JSON.parse(BODY);
    for await (const result of client.iterate({ query })) return JSON.parse(JSON.stringify(result));
    return undefined;
  } finally {
    await client.dispose();
  }
}

/** Each transport, and the answer of a mock that it receives. */
const TRANSPORTS: Readonly<Record<string, (mock: Mock) => Promise<unknown>>> = {
  route: async ({ route, schema }) => (await route(schema, { requestBody: BODY })).body,
  fetch: async ({ fetch }) => await (await fetch(post())).json(),
  webSocket: async ({ webSocket }) => {
    const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
    await using server = Deno.serve(options, webSocket);
    const answer = await first(`ws://127.0.0.1:${server.addr.port}/graphql`);
    webSocket.close();
    return answer;
  },
  "an intercepted WebSocket": async (mock) => {
    using _interceptor = createWebSocketInterceptor("wss://api.test/graphql", mock);
    return await first("wss://api.test/graphql");
  },
  query: async ({ query }) => ({ data: await query(JSON.parse(BODY).query) }),
  handlers: async ({ handlers }) => {
    const msw = {
      http: { all: (...args: [string, (info: { request: Request }) => Promise<Response>]) => args },
    };
    const [[address, resolve] = []] = handlers(msw);
    strictEqual(address, "*/graphql");
    return await (await resolve?.({ request: post() }))?.json();
  },
};

for (const [transport, ask] of Object.entries(TRANSPORTS)) {
  Deno.test(`createMock() answers over ${transport}, and logs the operation`, async () => {
    const mock = createPeople();
    deepStrictEqual(JSON.parse(JSON.stringify(await ask(mock))), ANSWER);
    deepStrictEqual(mock.operations.map(({ name }) => name), ["People"]);
    deepStrictEqual(mock.route.operations, mock.operations);
  });

  Deno.test(`failNext() of a mock reaches ${transport}`, async () => {
    const mock = createPeople();
    mock.failNext("People", new Error("disk full"));
    const answer = await ask(mock).catch((error) => error);
    ok(`${JSON.stringify(answer)} ${answer}`.includes("disk full"), transport);
    deepStrictEqual(JSON.parse(JSON.stringify(await ask(mock))), ANSWER);
  });
}

Deno.test("createMock() streams the writes of every transport to its subscriptions", async () => {
  const mock = createMock(SCHEMA);
  const results = mock.subscribe({ query: "subscription { personCreated { name } }" });
  await mock.query(`mutation { createPerson(input: { name: "Bea" }) { id } }`);
  for await (const { data } of results) {
    deepStrictEqual(JSON.parse(JSON.stringify(data)), { personCreated: { name: "Bea" } });
    break;
  }
});

Deno.test("createMock() takes the schema of a Mirage server, whose routes share its records", async () => {
  const server = createServer({ environment: "test" });
  const mock = createMock(SCHEMA, server.schema, { conventions: "common" });
  strictEqual(mock.schema, server.schema);
  server.db.loadData({ people: [{ name: "Ada" }] });
  deepStrictEqual(await mock.query("{ people { name } }"), ANSWER.data);
});

Deno.test("a mock without a Mirage server changes no global", () => {
  const before = Reflect.ownKeys(globalThis).map((key) => [key, Reflect.get(globalThis, key)]);
  createMock(SCHEMA);
  const after = Reflect.ownKeys(globalThis).map((key) => [key, Reflect.get(globalThis, key)]);
  deepStrictEqual(after.length, before.length);
  for (const [at, [key, value]] of before.entries()) {
    strictEqual(after[at]?.[1], value, String(key));
  }
});

Deno.test("webSocket.close() of a mock closes its sockets", async () => {
  const mock = createPeople();
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  await using server = Deno.serve(options, mock.webSocket);
  const socket = new WebSocket(`ws://127.0.0.1:${server.addr.port}`, "graphql-transport-ws");
  const closed = new Promise<CloseEvent>((resolve) => socket.onclose = resolve);
  await new Promise((resolve) => socket.onopen = resolve);
  mock.webSocket.close();
  strictEqual((await closed).code, 1001);
});

Deno.test("createMock() rejects a wrong time-out of connections at once", async () => {
  await rejects(async () => await createMock(SCHEMA, undefined, { connectionInitTimeout: 0 }), {
    message: /^Cannot use connectionInitTimeout "0"/,
  });
});
