import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { openSocket, type RawSocket } from "../testing/raw_socket.ts";
import { checkResult, createFuzzMock } from "./mock.ts";

const NEW = "graphql-transport-ws";
const OLD = "graphql-ws";

/** What a client sends over one connection, one frame after the other. */
interface Sent {
  readonly protocol: typeof NEW | typeof OLD;
  readonly frames: readonly (string | Uint8Array<ArrayBuffer>)[];
}

const ID = fc.constantFrom<unknown>("1", "2", "", "__proto__", 1, null, {}, "x".repeat(1_000));
const QUERY = fc.oneof(
  fc.constantFrom(
    "{ people { name } }",
    "subscription { personCreated { id } }",
    "{ nothing }",
    "",
    "{",
    "mutation { describe(input: {}) }",
  ),
  edited(fc.constant("query A($id: ID!) { person(id: $id) { name } }")),
);
const PAYLOAD = fc.oneof(
  { weight: 4, arbitrary: QUERY.map((query): unknown => ({ query })) },
  fc.record({ query: fc.oneof(QUERY, fc.jsonValue()), variables: fc.jsonValue() }),
  fc.record({ query: QUERY, extensions: fc.jsonValue(), operationName: fc.jsonValue() }),
  fc.jsonValue(),
);
const TYPE = fc.constantFrom(
  ..."subscribe start stop complete ping pong connection_init connection_terminate next".split(" "),
  ..."connection_ack data error __proto__".split(" "),
);
const MESSAGE = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom("subscribe", "start"), id: ID, payload: PAYLOAD }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: TYPE, id: ID, payload: PAYLOAD }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.jsonValue() }) },
).map((message) => JSON.stringify(message));
const FRAME = fc.oneof(
  { weight: 6, arbitrary: MESSAGE },
  { weight: 1, arbitrary: edited(MESSAGE) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "[]", "null", "x".repeat(1_048_577), "[".repeat(99_999)),
  },
  { weight: 1, arbitrary: fc.uint8Array().map((bytes) => new Uint8Array(bytes)) },
);
const INIT = '{"type":"connection_init"}';

/**
 * The codes with which a server may close a connection, by its protocols and by WebSocket. Deno's
 * client reports 0 if it was still sending.
 */
const CODES = [0, 1000, 1001, 1003, 1005, 1009, 4400, 4401, 4403, 4408, 4409, 4429];
const CLOSED_MS = 15_000;

/** Frames of both protocols of GraphQL over WebSocket, in any order. */
export const sockets: Surface = defineSurface<Sent>({
  name: "graphql-sockets",
  share: 0.3,
  open: () => {
    const mock = createFuzzMock();
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, mock.sockets);
    const url = `ws://127.0.0.1:${server.addr.port}/`;
    return Promise.resolve({
      inputs: fc.record({
        protocol: fc.constantFrom<Sent["protocol"]>(NEW, OLD),
        frames: fc.tuple(fc.boolean(), fc.array(FRAME, { maxLength: 8 }))
          .map(([isStarted, frames]) => isStarted ? [INIT, ...frames] : frames),
      }),
      check: async ({ protocol, frames }) => {
        await using client = await openSocket(url, protocol);
        for (const frame of frames) client.send(frame);
        await settle(client, protocol);
        await checkAlive(url, protocol);
      },
      [Symbol.asyncDispose]: async () => {
        mock.close();
        await server.shutdown();
      },
    });
  },
});

/** Reads all that the server sends until it has handled the frames, or closed the connection. */
async function settle(client: RawSocket, protocol: Sent["protocol"]): Promise<void> {
  const mark = crypto.randomUUID();
  const last = protocol === NEW
    ? { type: "ping", payload: { mark } }
    : { type: "stop-none", id: mark };
  if (client.socket.readyState === WebSocket.OPEN) client.send(last);
  const closed = client.closed.then(({ code, reason }) => {
    ok(CODES.includes(code), `closed with ${code} ${reason}`);
    return undefined;
  });
  const allowed = protocol === NEW ? NEW_MESSAGES : OLD_MESSAGES;
  for (;;) {
    const message = await within(Promise.race([closed, client.next()]));
    if (message === undefined) return;
    if (JSON.stringify(message).includes(mark)) return;
    checkMessage(message, allowed);
  }
}

/** The messages of a server, and whether each has an id. */
const NEW_MESSAGES: Readonly<Record<string, boolean>> = {
  connection_ack: false,
  ping: false,
  pong: false,
  next: true,
  error: true,
  complete: true,
};
const OLD_MESSAGES: Readonly<Record<string, boolean>> = {
  connection_ack: false,
  connection_error: false,
  ka: false,
  data: true,
  error: true,
  complete: true,
};

function checkMessage(message: unknown, allowed: typeof NEW_MESSAGES): void {
  const text = JSON.stringify(message);
  ok(typeof message === "object" && message !== null && "type" in message, text);
  const hasId = allowed[String(message.type)];
  ok(hasId !== undefined, text);
  if (hasId) ok("id" in message && typeof message.id === "string", text);
  if (message.type === "next" || message.type === "data") {
    checkResult("payload" in message ? message.payload : undefined);
  }
}

/** Throws if another connection is not answered. */
async function checkAlive(url: string, protocol: Sent["protocol"]): Promise<void> {
  await using client = await openSocket(url, protocol);
  client.send(INIT);
  const type = protocol === NEW ? "subscribe" : "start";
  const payload = { query: "{ people { name } }" };
  if (protocol === NEW) await within(client.next());
  client.send({ type, id: "a", payload });
  if (protocol === OLD) await within(client.next());
  const answer = await within(client.next());
  ok(typeof answer === "object" && answer !== null && "payload" in answer);
  deepStrictEqual(answer.payload, { data: { people: [{ name: "Ada" }, { name: "Grace" }] } });
}

async function within<Value>(work: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("The server is silent")), CLOSED_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
