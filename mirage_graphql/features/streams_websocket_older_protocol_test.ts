import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { openSocket } from "../testing/raw_socket.ts";
import { startSocketServer } from "../testing/socket_server.ts";
import { until } from "../testing/until.ts";

const OLD = "graphql-ws";
const INIT = { type: "connection_init" };

Deno.test("the older protocol graphql-ws: init, start, stop, terminate, and its errors", async () => {
  await using started = startSocketServer({
    onConnect: ({ user }) => user !== "Eve",
    connectionInitTimeout: 60_000,
  });
  const { tables, mock, handler } = started;
  await using client = await openSocket(started.url, OLD);
  const startMessage = (id: string, query: unknown) => ({ id, type: "start", payload: { query } });
  const answers: [object | string, object][] = [
    ["{", { type: "connection_error", payload: /^Cannot read the message: / }],
    [{}, { type: "connection_error", payload: /it has no type/ }],
    [startMessage("1", "{ me }"), {
      type: "error",
      id: "1",
      payload: /send connection_init first/,
    }],
  ];
  for (const [message, { payload, ...expected }] of answers as [object, { payload: RegExp }][]) {
    client.send(message);
    const { payload: got, ...rest } = await client.next() as { payload: { message: string } };
    deepStrictEqual(rest, expected);
    match(got.message, payload);
  }
  client.send({ type: "connection_init", payload: { user: "Ada" } });
  client.send(startMessage("1", "{ me }"));
  deepStrictEqual(await client.next(), { type: "connection_ack" });
  deepStrictEqual(await client.next(), { type: "data", id: "1", payload: { data: { me: "Ada" } } });
  deepStrictEqual(await client.next(), { type: "complete", id: "1" });
  client.send(startMessage("2", 1));
  deepStrictEqual(await client.next(), {
    type: "error",
    id: "2",
    payload: {
      message: 'Cannot read "query": it must be a string, got the number 1',
      extensions: { http: { status: 400 } },
    },
  });
  client.send(startMessage("3", "{ nothing }"));
  match(JSON.stringify(await client.next()), /"type":"data".*Cannot query field/);
  await client.next();
  client.send({ id: "4", type: "dance" });
  match(JSON.stringify(await client.next()), /Cannot handle a message of type \\"dance\\"/);

  handler.failNext("*", new Error("not now"));
  client.send(startMessage("5", "subscription { personCreated { id } }"));
  match(JSON.stringify(await client.next()), /not now/);
  await client.next();
  client.send(startMessage("5", "subscription { personCreated { id } }"));
  await until(() => tables.listeners === 1);
  mock.create("person", { name: "Ada" });
  deepStrictEqual(await client.next(), {
    type: "data",
    id: "5",
    payload: { data: { personCreated: { id: "1" } } },
  });
  client.send({ id: "5", type: "stop" });
  deepStrictEqual(await client.next(), { type: "complete", id: "5" });
  await until(() => tables.listeners === 0);
  client.send({ type: "connection_terminate" });
  await client.closed;

  await using eve = await openSocket(started.url, OLD);
  eve.send({ type: "connection_init", payload: { user: "Eve" } });
  deepStrictEqual(await eve.next(), {
    type: "connection_error",
    payload: { message: "Cannot connect: onConnect() refused" },
  });
  strictEqual((await eve.closed).code, 4403);
  await using hurried = startSocketServer({ connectionInitTimeout: 50 });
  await using silent = await openSocket(hurried.url, OLD);
  strictEqual((await silent.closed).code, 4408);
});

Deno.test("an operation of the older protocol that is stopped before the connection is accepted never starts", async () => {
  const accepted = Promise.withResolvers<void>();
  await using started = startSocketServer({ onConnect: () => accepted.promise });
  const { tables, handler, url } = started;
  await using client = await openSocket(url, OLD);
  client.send(INIT);
  const payload = { query: "subscription { personCreated { id } }" };
  for (let id = 1; id <= 1_001; id++) client.send({ id: `${id}`, type: "start", payload });
  match(JSON.stringify(await client.next()), /"id":"1001".*1000 run already/);
  for (let id = 1; id <= 1_000; id++) client.send({ id: `${id}`, type: "stop" });
  client.send({ id: "last", type: "start", payload: { query: "query Last { me }" } });
  client.send({ id: "unknown", type: "dance" });
  match(JSON.stringify(await client.next()), /Cannot handle a message of type/);
  accepted.resolve();
  deepStrictEqual(await client.next(), { type: "connection_ack" });
  match(JSON.stringify(await client.next()), /"id":"last"/);
  deepStrictEqual([handler.operations.length, tables.listeners], [1, 0]);
});
