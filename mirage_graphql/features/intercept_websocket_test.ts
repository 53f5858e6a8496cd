import { deepStrictEqual, notStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { observeSocket, SOCKET_ACTS } from "../testing/observe_socket.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { until } from "../testing/until.ts";
import {
  createWebSocketHandler,
  createWebSocketInterceptor,
  type WebSocketAddress,
  type WebSocketInterceptorOptions,
} from "../ws.ts";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]!, host: String }
  type Subscription { personCreated: Person! }
`;
const PROTOCOL = "graphql-transport-ws";
const ADDRESS = "ws://api.test/graphql";

function intercept(address: WebSocketAddress, options: WebSocketInterceptorOptions = {}) {
  const mock = createSeedServer();
  const tables = trackWrites(parseMockSchema(mock.schema).db);
  const interceptor = createWebSocketInterceptor(address, graphQLSchema, mock.schema, options);
  return { interceptor, tables, [Symbol.dispose]: () => interceptor.restore() };
}

/** The mock behind a real server. */
function serve() {
  const handler = createWebSocketHandler(graphQLSchema, createSeedServer().schema);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  return {
    url: `ws://127.0.0.1:${server.addr.port}/graphql`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("an intercepted socket behaves as one of the platform", async (t) => {
  await using real = serve();
  using _ = intercept(ADDRESS);
  for (const [name, act] of Object.entries(SOCKET_ACTS)) {
    await t.step(name, async () => {
      deepStrictEqual(await observeSocket(ADDRESS, act), await observeSocket(real.url, act));
    });
  }
});

Deno.test("an intercepted socket rejects the arguments that the platform does", async () => {
  await using real = serve();
  using _ = intercept(ADDRESS);
  for (const url of [ADDRESS, real.url]) {
    for (const protocols of [["a", "a"], ["a b"], [""]]) {
      throws(() => new WebSocket(url, protocols), { name: "SyntaxError" });
    }
    throws(() => new WebSocket(`${url}#part`), { name: "SyntaxError" });
    const socket = new WebSocket(url, PROTOCOL);
    const closed = new Promise((resolve) => socket.onclose = resolve);
    for (const code of [999, 1001, 2999, 5000]) {
      throws(() => socket.close(code), { name: "InvalidAccessError" }, `${code}`);
    }
    throws(() => socket.close(1000, "ë".repeat(62)), { name: "SyntaxError" });
    socket.binaryType = "arraybuffer";
    Object.assign(socket, { binaryType: "text" });
    strictEqual(socket.binaryType, "arraybuffer");
    socket.close();
    await closed;
    strictEqual(socket.readyState, WebSocket.CLOSED);
  }
  throws(() => new WebSocket("http://["), { name: "SyntaxError" });
});

Deno.test("an intercepted socket whose protocols are not supported fails, and one without any is closed", async () => {
  using _ = intercept(ADDRESS);
  const none = await observeSocket(ADDRESS, () => {}, { protocols: ["soap"] });
  deepStrictEqual(none.slice(2, -1), [["error", 3], ["close", 1006, "", false, 3]]);
  const plain = await observeSocket(ADDRESS, () => {}, { protocols: [] });
  deepStrictEqual(plain.slice(2, -1), [
    ["opened", "", true, 1],
    ["close", 4406, "Subprotocol not acceptable", true, 3],
  ]);
  const close = (socket: WebSocket) => socket.close();
  const offered = await observeSocket(ADDRESS, close, { protocols: ["soap", "graphql-ws"] });
  deepStrictEqual(offered[2], ["opened", "graphql-ws", true, 1]);
});

Deno.test("WebSocket keeps its class, its constants and its prototype's members", async () => {
  await using real = serve();
  const platform = WebSocket;
  const before = new WebSocket(real.url, PROTOCOL);
  using started = intercept(ADDRESS);
  notStrictEqual(WebSocket, platform);
  strictEqual(WebSocket.name, "WebSocket");
  deepStrictEqual(
    [WebSocket.CONNECTING, WebSocket.OPEN, WebSocket.CLOSING, WebSocket.CLOSED],
    [0, 1, 2, 3],
  );

  class Counted extends WebSocket {
    count = 0;
    override send(data: string): void {
      this.count++;
      super.send(data);
    }
  }
  const open = (url: string) => {
    const sockets = [new WebSocket(url, PROTOCOL), new Counted(url, PROTOCOL)];
    return sockets;
  };
  const sockets = [before, ...open(ADDRESS), ...open(real.url)];
  for (const socket of sockets) {
    ok(socket instanceof WebSocket && socket instanceof platform && socket instanceof EventTarget);
    strictEqual(Object.prototype.toString.call(socket), "[object WebSocket]");
    strictEqual(socket.OPEN, 1);
  }
  deepStrictEqual(sockets.map((socket) => socket instanceof Counted), [
    false,
    false,
    true,
    false,
    true,
  ]);
  ok(!({} instanceof WebSocket));
  strictEqual(Object.getPrototypeOf(sockets[3]), platform.prototype);
  for (const socket of sockets) {
    if (socket.readyState === WebSocket.CONNECTING) {
      await new Promise((resolve) => socket.addEventListener("open", resolve));
    }
    socket.send('{"type":"ping"}');
    await new Promise((resolve) => socket.onmessage = resolve);
    if (socket instanceof Counted) strictEqual(socket.count, 1);
    const closed = new Promise((resolve) => socket.onclose = resolve);
    socket.close();
    await closed;
  }
  throws(() => Reflect.get(WebSocket.prototype, "url", {}), { name: "TypeError" });
  started.interceptor.restore();
  strictEqual(WebSocket, platform);
});

Deno.test("createWebSocketInterceptor() takes paths, URLs and patterns, and passes others on", async () => {
  await using real = serve();
  const isOurs = async (url: string | URL) => {
    const socket = new WebSocket(url, PROTOCOL);
    const opened = new Promise((resolve) => {
      socket.onopen = () => resolve(true);
      socket.onerror = () => resolve(false);
    });
    const closed = new Promise((resolve) => socket.onclose = resolve);
    const isOpen = await opened;
    socket.close();
    await closed;
    return isOpen;
  };
  const { host } = new URL(real.url);
  const cases: [WebSocketAddress, ours: (string | URL)[], others: string[]][] = [
    [
      "/graphql",
      ["/graphql", "graphql?a=1", "ws://localhost/graphql", "http://localhost/graphql"],
      [
        "wss://localhost/graphql",
        "ws://localhost/other",
      ],
    ],
    ["wss://api.test:81/a/:id", ["wss://api.test:81/a/7", new URL("https://api.test:81/a/x")], [
      "wss://localhost/a/7",
    ]],
    [new URL("ws://api.test/*rest"), ["ws://api.test/a/b"], ["ws://localhost/a/b"]],
    [/^wss:.*\/graphql$/g, ["wss://a.test/graphql", "wss://b.test/graphql"], [
      "ws://localhost/graphql",
    ]],
    [new URLPattern({ hostname: "*.test" }), ["ws://a.test/x"], ["ws://localhost/x"]],
  ];
  for (const [address, ours, others] of cases) {
    using _ = intercept(address);
    for (const url of ours) ok(await isOurs(url), `${address} ${url}`);
    ok(await isOurs(real.url), host);
    for (const url of others) strictEqual(await isOurs(url), false, `${address} ${url}`);
  }
  using _ = intercept("/api", { origin: "https://app.test" });
  ok(await isOurs("wss://app.test/api"));
  ok(await isOurs("/api"));
  throws(() => intercept("http://["), {
    name: "TypeError",
    message: 'Cannot intercept "http://[": it must be a path, a URL, a RegExp or a URLPattern',
  });
});

/** Opens a socket with a subscription. */
function subscribe(url: string) {
  const socket = new WebSocket(url, PROTOCOL);
  socket.onopen = () => socket.send('{"type":"connection_init"}');
  socket.onmessage = () => {
    const payload = { query: "subscription { personCreated { id } }" };
    socket.send(JSON.stringify({ id: "1", type: "subscribe", payload }));
  };
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code);
  });
  return { socket, closed };
}

Deno.test("a client that closes its intercepted socket ends its subscriptions", async () => {
  using started = intercept(ADDRESS);
  const { socket, closed } = subscribe(ADDRESS);
  await until(() => started.tables.listeners === 1);
  socket.close();
  strictEqual(await closed, 1005);
  strictEqual(started.tables.listeners, 0);
});

Deno.test("restore() closes sockets with 1001, in any order, and keeps a class that other code has set", async () => {
  const platform = WebSocket;
  using first = intercept("ws://a.test/");
  using second = intercept(/test/);
  const { closed } = subscribe("ws://a.test/");
  await until(() => second.tables.listeners === 1);
  const { closed: opening } = subscribe("ws://a.test/");
  second.interceptor.restore();
  second.interceptor.restore();
  deepStrictEqual(await Promise.all([closed, opening]), [1001, 1006]);
  strictEqual(second.tables.listeners, 0);
  notStrictEqual(WebSocket, platform);
  const ours = WebSocket;
  class Theirs extends ours {}
  globalThis.WebSocket = Theirs;
  try {
    first.interceptor.restore();
    strictEqual(WebSocket, Theirs);
    const socket = new WebSocket("ws://127.0.0.1:1/");
    await new Promise((resolve) => socket.onerror = resolve);
  } finally {
    globalThis.WebSocket = platform;
  }
});

Deno.test("an intercepted socket passes its address, its headers and its parameters to resolvers", async () => {
  using started = intercept("/graphql", {
    context: ({ connectionParams }) => ({ user: connectionParams?.user }),
    resolvers: {
      Query: {
        host: (_obj, _args, context) => {
          const { request: { url, queryParams, requestHeaders } } = context;
          return JSON.stringify([Reflect.get(context, "user"), url, queryParams, requestHeaders]);
        },
      },
    },
  });
  const init: unknown = { protocols: PROTOCOL, headers: { "X-Test": "1" } };
  const socket = new WebSocket("/graphql?a=1", init as string);
  const answer = new Promise((resolve) => {
    socket.onopen = () => socket.send('{"type":"connection_init","payload":{"user":"Ada"}}');
    socket.onmessage = ({ data }) => {
      const { type, payload } = JSON.parse(data);
      if (type === "next") resolve(JSON.parse(payload.data.host));
      if (type !== "connection_ack") return;
      socket.send('{"id":"1","type":"subscribe","payload":{"query":"query Host { host }"}}');
    };
  });
  deepStrictEqual(await answer, ["Ada", "http://localhost/graphql?a=1", { a: "1" }, {
    "x-test": "1",
  }]);
  deepStrictEqual(started.interceptor.operations.map(({ name }) => name), ["Host"]);
});

Deno.test("a platform without WebSocket has one while sockets are intercepted", async () => {
  const platform = WebSocket;
  Reflect.deleteProperty(globalThis, "WebSocket");
  try {
    using started = intercept(ADDRESS);
    const seen = await observeSocket(ADDRESS, (socket) => socket.close());
    deepStrictEqual(seen[2], ["opened", PROTOCOL, true, 1]);
    strictEqual(WebSocket.CLOSED, 3);
    strictEqual(new WebSocket(ADDRESS).CLOSING, 2);
    throws(() => new WebSocket("ws://other.test/"), {
      message: 'Cannot open "ws://other.test/": this platform has no WebSocket',
    });
    started.interceptor.restore();
    ok(!("WebSocket" in globalThis));
  } finally {
    globalThis.WebSocket = platform;
  }
});

Deno.test("failNext() breaks an intercepted socket as a lost connection does", async () => {
  using started = intercept(ADDRESS);
  started.interceptor.failNext("*", "network");
  const { socket, closed } = subscribe(ADDRESS);
  const failed = new Promise((resolve) => socket.onerror = resolve);
  strictEqual(await closed, 1006);
  await failed;
});
