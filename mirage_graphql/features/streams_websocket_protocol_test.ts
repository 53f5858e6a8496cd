import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { request } from "node:http";
import { openSocket } from "../testing/raw_socket.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { graphQLSchema, startSocketServer } from "../testing/socket_server.ts";
import { until } from "../testing/until.ts";
import { createWebSocketInterceptor } from "../ws.ts";

const NEW = "graphql-transport-ws";
const OLD = "graphql-ws";
const INIT = { type: "connection_init" };

function subscribe(id: string, query: string) {
  return { id, type: "subscribe", payload: { query } };
}

Deno.test("graphql-transport-ws closes the connection with the codes of its protocol", async () => {
  await using started = startSocketServer({ connectionInitTimeout: 60_000 });
  await using hurried = startSocketServer({ connectionInitTimeout: 50 });
  await using forbidding = startSocketServer({ onConnect: () => false });
  const first = subscribe("1", "subscription { personCreated { id } }");
  const cases: [
    code: number,
    url: string,
    messages: (object | string | Uint8Array<ArrayBuffer>)[],
  ][] = [
    [4400, started.url, ["{"]],
    [4400, started.url, [{ type: "dance" }]],
    [4400, started.url, [INIT, { type: "connection_ack" }]],
    [4400, started.url, [INIT, { id: "1", type: "subscribe", payload: { query: 1 } }]],
    [4401, started.url, [first]],
    [4403, forbidding.url, [INIT]],
    [4408, hurried.url, []],
    [4409, started.url, [INIT, first, first]],
    [4429, started.url, [INIT, INIT]],
    [1003, started.url, [new Uint8Array([1])]],
    [1009, started.url, [" ".repeat(1_048_577)]],
  ];
  for (const [expected, url, messages] of cases) {
    await using client = await openSocket(url, NEW);
    for (const message of messages) {
      client.send(message);
      if (message === INIT && expected === 4409) await client.next();
    }
    const { code, reason } = await client.closed;
    strictEqual(code, expected, reason);
  }
  await using plain = await openSocket(started.url);
  deepStrictEqual(await plain.closed, { code: 4406, reason: "Subprotocol not acceptable" });
  await until(() => started.tables.listeners === 0);
});

Deno.test("graphql-transport-ws answers pings, passes parameters to the context, and acknowledges", async () => {
  await using started = startSocketServer({
    onConnect: ({ user }, { url }) => ({
      hello: user,
      isOurs: url === started.url.replace("ws", "http"),
    }),
  });
  await using client = await openSocket(started.url, NEW);
  client.send({ type: "ping", payload: { at: 1 } });
  deepStrictEqual(await client.next(), { type: "pong", payload: { at: 1 } });
  client.send({ type: "connection_init", payload: { user: "Ada" } });
  deepStrictEqual(await client.next(), {
    type: "connection_ack",
    payload: { hello: "Ada", isOurs: true },
  });
  client.send(subscribe("1", "{ me host }"));
  const host = `${started.url.replace("ws", "http")} websocket`;
  deepStrictEqual(await client.next(), {
    id: "1",
    type: "next",
    payload: { data: { me: "Ada", host } },
  });
  deepStrictEqual(await client.next(), { id: "1", type: "complete" });
});

Deno.test("graphql-transport-ws reports errors, and runs several operations on one connection", async () => {
  await using started = startSocketServer();
  const { handler, mock, tables } = started;
  await using client = await openSocket(started.url, NEW);
  client.send(INIT);
  await client.next();
  const first = async (query: string) => {
    client.send(subscribe("x", query));
    const { type, payload } = await client.next() as { type: string; payload: object };
    if (type === "next") strictEqual((await client.next() as { type: string }).type, "complete");
    return `${type} ${JSON.stringify(payload)}`;
  };
  match(await first("{ nothing }"), /^error \[{"message":"Cannot query field \\"nothing\\"/);
  match(await first("{"), /^error \[{"message":"Syntax Error/);
  match(await first("{ teapot }"), /^next {"errors":\[{"message":"Cannot pass a Response on/);
  match(await first("subscription { broken }"), /^error \[{"message":"out of order"/);
  handler.failNext("*", 503);
  match(await first("{ me }"), /^next {"errors":\[{"message":"HTTP status 503",.*"status":503/);
  handler.failNext("Made", new Error("not now"));
  match(await first("subscription Made { personCreated { id } }"), /"message":"not now"/);

  client.send(subscribe("1", "subscription { personCreated { id } }"));
  client.send(subscribe("2", "subscription { personCreated { name } }"));
  await until(() => tables.listeners === 1);
  client.send(subscribe("3", 'mutation { createPerson(input: { name: "Ada" }) { id } }'));
  const messages = [];
  for (let read = 0; read < 4; read++) messages.push(JSON.stringify(await client.next()));
  deepStrictEqual(messages.sort(), [
    '{"id":"1","type":"next","payload":{"data":{"personCreated":{"id":"1"}}}}',
    '{"id":"2","type":"next","payload":{"data":{"personCreated":{"name":"Ada"}}}}',
    '{"id":"3","type":"complete"}',
    '{"id":"3","type":"next","payload":{"data":{"createPerson":{"id":"1"}}}}',
  ]);
  client.send({ id: "1", type: "complete" });
  client.send({ type: "ping" });
  deepStrictEqual(await client.next(), { type: "pong" });
  mock.create("person", { name: "Zoë" });
  deepStrictEqual(await client.next(), {
    id: "2",
    type: "next",
    payload: { data: { personCreated: { name: "Zoë" } } },
  });
  client.socket.close();
  await until(() => tables.listeners === 0);
});

Deno.test({
  name: "closing a connection aborts its queries, and leaves no timer",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    await using started = startSocketServer({
      latency: ({ name }) => name === "Late" ? 60_000 : 0,
    });
    for (const [protocol, type] of [[NEW, "subscribe"], [OLD, "start"]] as const) {
      await using _silent = await openSocket(started.url, protocol);
      await using client = await openSocket(started.url, protocol);
      client.send(INIT);
      await client.next();
      client.send({ id: "1", type, payload: { query: "query Late { me }" } });
      client.send({ id: "2", type, payload: { query: "{ slow }" } });
      client.send({ id: "3", type, payload: { query: "{ me }" } });
      await client.next();
    }
    await started.ended;
  },
});

Deno.test("the handler's close() ends all subscriptions with 1001", async () => {
  await using started = startSocketServer();
  for (const [protocol, type] of [[NEW, "subscribe"], [OLD, "start"]] as const) {
    await using client = await openSocket(started.url, protocol);
    client.send(INIT);
    await client.next();
    client.send({ id: "1", type, payload: { query: "subscription { personCreated { id } }" } });
    await until(() => started.tables.listeners === 1);
    started.handler.close();
    await until(() => started.tables.listeners === 0);
    deepStrictEqual(await client.closed, { code: 1001, reason: "The mock has ended" });
  }
});

Deno.test("a request without handshake is answered with 426, other origins with 403, and an invalid timeout is an error", async () => {
  await using started = startSocketServer({ origins: ["http://app.test"] });
  for (const [origin, status] of [["http://app.test", 101], ["http://evil.test", 403]]) {
    const socket = request(started.url.replace("ws", "http"), {
      headers: {
        Origin: origin,
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
      },
    });
    const answered = Promise.withResolvers<number | undefined>();
    socket.on("upgrade", ({ statusCode }, connection) => {
      connection.destroy();
      answered.resolve(statusCode);
    });
    socket.on("response", (response) => {
      response.resume();
      answered.resolve(response.statusCode);
    });
    socket.end();
    strictEqual(await answered.promise, status);
  }
  const answer = await fetch(started.url.replace("ws", "http"));
  strictEqual(answer.status, 426);
  strictEqual(answer.headers.get("upgrade"), "websocket");
  strictEqual(await answer.text(), "Cannot answer the request: it is not a WebSocket handshake");
  for (const connectionInitTimeout of [0, -1, NaN, Infinity]) {
    throws(
      () => startSocketServer({ connectionInitTimeout }),
      /Cannot use connectionInitTimeout ".*": it must be/,
    );
  }
});

Deno.test("both protocols run persisted operations, and reject others", async () => {
  const persistedOperations = { me: "{ me }" };
  await using started = startSocketServer({ persistedOperations, persistedOnly: true });
  for (const [protocol, type] of [[NEW, "subscribe"], [OLD, "start"]] as const) {
    await using client = await openSocket(started.url, protocol);
    client.send(INIT);
    await client.next();
    client.send({ id: "1", type, payload: { query: "", documentId: "me" } });
    match(JSON.stringify(await client.next()), /"data":{"me":"undefined"}/);
    await client.next();
    client.send({ id: "2", type, payload: { query: "{ me }" } });
    match(
      JSON.stringify(await client.next()),
      /"type":"error".*PERSISTED|"type":"error".*persisted/,
    );
  }
});

Deno.test("failNext() breaks connections, and lets operations wait for their end", async () => {
  await using started = startSocketServer();
  for (const [protocol, type] of [[NEW, "subscribe"], [OLD, "start"]] as const) {
    for (const query of ["{ me }", "subscription { personCreated { id } }"]) {
      await using client = await openSocket(started.url, protocol);
      client.send(INIT);
      await client.next();
      started.handler.failNext("*", "timeout");
      client.send({ id: "1", type, payload: { query } });
      started.handler.failNext("*", "network");
      client.send({ id: "2", type, payload: { query } });
      strictEqual((await client.closed).code, 1012);
    }
  }
});

Deno.test("both protocols pass operations on to the API at their address, by HTTP", async () => {
  let isUpgraded = false;
  const { schema } = createSeedServer();
  await using api = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    isUpgraded ||= request.headers.has("upgrade");
    return Response.json({ data: { me: "Grace" } });
  });
  using interceptor = createWebSocketInterceptor(
    "/graphql",
    graphQLSchema,
    schema,
    { passthrough: ["GetMe"], origin: `http://127.0.0.1:${api.addr.port}` },
  );
  for (const [protocol, type] of [[NEW, "subscribe"], [OLD, "start"]] as const) {
    const url = `ws://127.0.0.1:${api.addr.port}/graphql`;
    await using client = await openSocket(url, protocol);
    client.send(INIT);
    await client.next();
    client.send({ id: "1", type, payload: { query: "query GetMe { me rank }" } });
    match(JSON.stringify(await client.next()), /"payload":{"data":{"me":"Grace"}}/);
  }
  deepStrictEqual([isUpgraded, interceptor.operations.length], [false, 0]);
});
