import { deepStrictEqual, fail, match, strictEqual } from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { WebSocketServer } from "ws";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { exerciseClient, EXPECTED, graphQLSchema, resolvers } from "../testing/clients/exercise.ts";
import { SOCKET_CLIENTS } from "../testing/clients/socket_clients.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { until } from "../testing/until.ts";
import { type AcceptedSocket, createWebSocketHandler } from "../ws.ts";

Deno.test("clients query, mutate and subscribe over the sockets of Deno.serve", async (t) => {
  for (const [name, createClient] of Object.entries(SOCKET_CLIENTS)) {
    await t.step(name, async () => {
      const mock = createSeedServer();
      const tables = trackWrites(parseMockSchema(mock.schema).db);
      using handler = createWebSocketHandler(graphQLSchema, mock.schema, { resolvers });
      await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
      {
        await using client = createClient(`ws://127.0.0.1:${server.addr.port}/graphql`);
        deepStrictEqual(await exerciseClient(client), EXPECTED);
        await until(() => tables.listeners === 0);
      }
      deepStrictEqual(
        handler.operations.map(({ name }) => name),
        ["CreatePerson", "CreatePerson", "People", "Bad"],
      );
      strictEqual(tables.listeners, 0);
    });
  }
});

Deno.test("accept() serves the sockets of the package ws", async () => {
  const mock = createSeedServer();
  const tables = trackWrites(parseMockSchema(mock.schema).db);
  using handler = createWebSocketHandler(graphQLSchema, mock.schema, {
    resolvers: { Query: { bad: (_obj, _args, { request }) => fail(request.requestHeaders?.host) } },
  });
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket: AcceptedSocket, { url, headers }: IncomingMessage) => {
    handler.accept(socket, { url, requestHeaders: { host: String(headers.host) } });
  });
  const host = `127.0.0.1:${await portOf(server)}`;
  for (const name of ["graphql-ws", "subscriptions-transport-ws"]) {
    mock.schema.db.people?.remove();
    await using client = SOCKET_CLIENTS[name]?.(`ws://${host}`) ?? fail();
    const { bad, ...rest } = await exerciseClient(client) as typeof EXPECTED;
    deepStrictEqual([bad, rest.seen.length], [[host], 2]);
    await until(() => tables.listeners === 0);
  }
  await new Promise((resolve) => server.close(resolve));
});

Deno.test("accept() survives a client that sends an invalid frame", async () => {
  const { schema } = createSeedServer();
  using handler = createWebSocketHandler(graphQLSchema, schema);
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket: AcceptedSocket) => handler.accept(socket));
  const client = await Deno.connect({ hostname: "127.0.0.1", port: await portOf(server) });
  const handshake = [
    "GET / HTTP/1.1",
    "Host: 127.0.0.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: graphql-transport-ws",
  ];
  await client.write(new TextEncoder().encode(`${handshake.join("\r\n")}\r\n\r\n`));
  const received = new Uint8Array(1_024);
  const length = await client.read(received) ?? fail();
  match(new TextDecoder().decode(received.subarray(0, length)), /^HTTP\/1.1 101 /);
  await client.write(new Uint8Array([0x81, 0x01, 0x61])); // a client's frame must be masked
  strictEqual(await client.read(received), 4);
  deepStrictEqual([...received.subarray(0, 4)], [0x88, 0x02, 0x03, 0xea]); // closed with 1002
  client.close();
  await new Promise((resolve) => server.close(resolve));
});

/** The port of a server, once it listens. */
async function portOf(server: WebSocketServer): Promise<number> {
  await once(server, "listening");
  const address = server.address();
  return address === null || typeof address === "string" ? fail() : address.port;
}
