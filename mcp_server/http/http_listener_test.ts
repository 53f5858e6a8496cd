import { match, ok, strictEqual } from "node:assert/strict";
import { HttpListener, type HttpServer, listenHttp, type ListenOptions } from "./http_listener.ts";
import { jsonResponse, pacedBody, readJson } from "./body.ts";
import { findServeConnection } from "./http_connection.ts";

const MIB = 1024 * 1024;
/** Long enough for a busy machine; what a test waits for comes much earlier. */
const PATIENCE_MS = 20_000;
const LONG = { headerMs: 60_000, bodyMs: 60_000, sendMs: 60_000, idleMs: 60_000 };
/** Longer than a pause of a busy machine, and shorter than a body, a call and an answer that are slow. */
const SLOW_MS = 3_500;
/** A deadline that a client of this process meets, unless the process itself is held up. */
const CHECKED_MS = 1_500;
const HEAD = "HTTP/1.1\r\nHost: localhost\r\n";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Handler = ListenOptions["handler"];

const answerOk: Handler = () => Promise.resolve(new Response("ok"));
const echo: Handler = async (request, { exchange }) => {
  const body = await readJson(request, { maxBytes: MIB, exchange });
  return Response.json(body);
};

interface Listening extends AsyncDisposable {
  readonly server: HttpServer;
  readonly errors: unknown[];
}

function listen(handler: Handler, options: Partial<ListenOptions> = {}): Listening {
  const errors: unknown[] = [];
  const server = listenHttp({ hostname: "127.0.0.1", port: 0 }, {
    handler,
    timeouts: LONG,
    maxConnections: 100,
    onAcceptError: (error) => errors.push(error),
    onUnbounded: () => errors.push("unbounded"),
    ...options,
  });
  return { server, errors, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Connects, and sends the bytes of a client. */
async function connect({ server }: Listening, text: string): Promise<Deno.TcpConn> {
  const { hostname, port } = server.address;
  const connection = await Deno.connect({ hostname, port });
  if (text !== "") await connection.write(encoder.encode(text));
  return connection;
}

/** Reads until the server closes the connection; rejects if it never does. */
async function readAll(connection: Deno.TcpConn): Promise<string> {
  const timer = setTimeout(() => connection.close(), PATIENCE_MS);
  let text = "";
  const buffer = new Uint8Array(MIB);
  try {
    for (;;) {
      const size = await connection.read(buffer);
      if (size === null) return text;
      text += decoder.decode(buffer.subarray(0, size));
    }
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionReset) return text;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Reads until the received text ends as expected. */
async function readUntil(connection: Deno.TcpConn, ending: string): Promise<string> {
  const buffer = new Uint8Array(MIB);
  let text = "";
  while (!text.endsWith(ending)) {
    const size = await connection.read(buffer);
    if (size === null) throw new Error(`Cannot read on: the server closed after "${text}"`);
    text += decoder.decode(buffer.subarray(0, size));
  }
  return text;
}

for (const [what, text] of [["nothing", ""], ["half of its headers", `GET / ${HEAD}`]] as const) {
  Deno.test(`HttpListener closes a connection whose client sends ${what}`, async () => {
    await using listening = listen(answerOk, { timeouts: { ...LONG, headerMs: 300 } });
    using client = await connect(listening, text);
    strictEqual(await readAll(client), "");
  });
}

Deno.test("HttpListener closes a connection whose client stops within a body", async () => {
  for (const length of [100, MIB - 1]) {
    await using listening = listen(echo, { timeouts: { ...LONG, bodyMs: 300 } });
    const json = "Content-Type: application/json\r\n";
    using client = await connect(
      listening,
      `POST / ${HEAD}${json}Content-Length: ${length}\r\n\r\n{`,
    );
    ok(!(await readAll(client)).includes(" 200 "));
  }
});

Deno.test("HttpListener closes a connection that is not used again", async () => {
  await using listening = listen(answerOk, { timeouts: { ...LONG, idleMs: 300 } });
  using client = await connect(listening, `GET / ${HEAD}\r\n`);
  match(await readAll(client), /^HTTP\/1.1 200 [^]*ok$/);
});

Deno.test("HttpListener closes the connection of a client that doesn't read its answer", async () => {
  const cancelled = Promise.withResolvers<void>();
  const endless = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.enqueue(new Uint8Array(MIB)),
      cancel: () => cancelled.resolve(),
    });
  await using listening = listen(
    (_request, { exchange }) => Promise.resolve(new Response(pacedBody(endless(), exchange))),
    { timeouts: { ...LONG, sendMs: 300 } },
  );
  using client = await connect(listening, `GET / ${HEAD}\r\n`);
  await cancelled.promise;
  ok((await readAll(client)).length > 0);
});

Deno.test("HttpListener closes connections whose client has not read the end of an answer", async () => {
  const sizes = [1, 2, 3, 4, 5, 6, 8, 12];
  const together = Promise.withResolvers<void>();
  let waiting = 0;
  await using listening = listen(async (request, { exchange }) => {
    const { length } = await request.text();
    if (length > 0) return jsonResponse("x".repeat(length * MIB), exchange);
    if (++waiting === sizes.length) together.resolve();
    await together.promise;
    return new Response("ok");
  }, { maxConnections: sizes.length, timeouts: { ...LONG, sendMs: 300, idleMs: 300 } });
  const unread = await Promise.all(
    sizes.map((length) =>
      connect(listening, `POST / ${HEAD}Content-Length: ${length}\r\n\r\n${"x".repeat(length)}`)
    ),
  );
  const later = await Promise.all(
    sizes.map(() => connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`)),
  );
  for (const client of later) match(await readAll(client), / 200 [^]*ok$/);
  for (const client of [...unread, ...later]) client.close();
});

Deno.test("jsonResponse() sends a large answer in parts, with its length", async () => {
  const large = "x".repeat(MIB);
  let parts = 0;
  await using listening = listen((_request, { exchange }) => {
    const expectReader = () => {
      parts++;
      exchange.expectReader();
    };
    const expectNothing = () => exchange.expectNothing();
    return Promise.resolve(jsonResponse(large, { expectReader, expectNothing }));
  });
  using client = await connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`);
  const [head = "", body] = (await readAll(client)).split("\r\n\r\n");
  match(head, /content-length: 1048578/i);
  strictEqual(body, JSON.stringify(large));
  strictEqual(parts, 18);
});

Deno.test("HttpListener waits for slow clients, and for long calls", async () => {
  const large = "x".repeat(16 * MIB);
  await using listening = listen(async (request, { exchange }) => {
    const body = await readJson(request, { maxBytes: MIB, exchange });
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS + 500));
    return jsonResponse([body, large], exchange);
  }, { timeouts: { headerMs: SLOW_MS, bodyMs: SLOW_MS, sendMs: SLOW_MS, idleMs: SLOW_MS } });
  const length = 5 * 65_536;
  const head = `POST / ${HEAD}Connection: close\r\nContent-Type: application/json\r\n`;
  using client = await connect(listening, `${head}Content-Length: ${length}\r\n\r\n`);
  const part = encoder.encode(" ".repeat(65_535) + "1");
  for (let at = 0; at < 5; at++) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, 1_000));
    const bytes = at === 4 ? part : encoder.encode(" ".repeat(65_536));
    for (let sent = 0; sent < bytes.length;) sent += await client.write(bytes.subarray(sent));
  }
  const buffer = new Uint8Array(3 * MIB);
  let size = 0;
  for (let read: number | null = 0; read !== null; read = await client.read(buffer)) {
    size += read;
    if (size < 12 * MIB) await new Promise((resolve) => setTimeout(resolve, 200));
  }
  ok(size > large.length, `${size} bytes`);
});

Deno.test("HttpListener reads what a client sent in time while the server itself was held up", async () => {
  const early: Deno.TcpConn[] = [];
  const holdUp: Handler = (request) => {
    if (request.url.endsWith("/hold")) {
      // The bytes are here before the deadline; the server comes to them only after it.
      for (const client of early) {
        void client.write(encoder.encode(`GET / ${HEAD}Connection: close\r\n\r\n`));
      }
      const until = performance.now() + 4 * CHECKED_MS;
      while (performance.now() < until);
    }
    return Promise.resolve(new Response("ok"));
  };
  const timeouts = { ...LONG, headerMs: CHECKED_MS, idleMs: CHECKED_MS };
  await using listening = await listen(holdUp, { timeouts });
  using silent = await connect(listening, "");
  using used = await connect(listening, `GET / ${HEAD}\r\n`);
  await readUntil(used, "ok");
  using holder = await connect(listening, "");
  early.push(silent, used);
  await holder.write(encoder.encode(`GET /hold ${HEAD}\r\n`));
  await readUntil(holder, "ok");
  for (const client of early) match(await readAll(client), /^HTTP\/1.1 200 .*ok$/s);
});

Deno.test("HttpListener closes connections without a request first, the oldest first, then idle ones", async () => {
  await using listening = listen(answerOk, { maxConnections: 3 });
  using half = await connect(listening, "GET /");
  using silent = await connect(listening, "");
  const closed: string[] = [];
  const track = async (name: string, connection: Deno.TcpConn) => {
    strictEqual(await readAll(connection), "");
    closed.push(name);
  };
  const ends = [track("half", half), track("silent", silent)];
  // They are kept for a while in any case.
  await new Promise((resolve) => setTimeout(resolve, 600));
  using idle = await connect(listening, `GET / ${HEAD}\r\n`);
  await readUntil(idle, "ok");
  using next = await connect(listening, `GET / ${HEAD}\r\n`);
  await readUntil(next, "ok");
  await Promise.all(ends);
  strictEqual(closed.join(), "half,silent");
  await idle.write(encoder.encode(`GET / ${HEAD}\r\n`));
  await readUntil(idle, "ok");
  using last = await connect(listening, `GET / ${HEAD}\r\n`);
  await readUntil(last, "ok");
  strictEqual(await readAll(next), "");
});

Deno.test("HttpListener answers a client amid others that connect again and again, and send nothing", async () => {
  await using listening = listen(answerOk, { maxConnections: 4 });
  const isOver = new AbortController();
  const flood = Array.from({ length: 8 }, async () => {
    while (!isOver.signal.aborted) {
      using silent = await connect(listening, "");
      const end = () => silent.close();
      isOver.signal.addEventListener("abort", end);
      await silent.read(new Uint8Array(1)).catch(() => {});
      isOver.signal.removeEventListener("abort", end);
    }
  });
  using client = await connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`);
  match(await readAll(client), / 200 /);
  isOver.abort();
  await Promise.allSettled(flood);
});

Deno.test("HttpListener closes a connection of nobody known for another one, and none of a caller", async () => {
  const go = Promise.withResolvers<void>();
  await using listening = listen(async (request, { exchange }) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/caller") exchange.ofCaller();
    if (pathname !== "/") await go.promise;
    return new Response("ok");
  }, { maxConnections: 2 });
  using caller = await connect(listening, `GET /caller ${HEAD}Connection: close\r\n\r\n`);
  using unknown = await connect(listening, `GET /nobody ${HEAD}\r\n`);
  using client = await connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`);
  strictEqual(await readAll(unknown), "");
  match(await readAll(client), / 200 /);
  go.resolve();
  match(await readAll(caller), / 200 /);
});

Deno.test("HttpListener closes no connection for another one before it is allowed all of them", async () => {
  await using listening = listen(answerOk, { maxConnections: 3, firstConnections: 1 });
  using silent = await connect(listening, "");
  using client = await connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`);
  // Longer than a silent one is kept at the cap.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  listening.server.allow(3);
  match(await readAll(client), / 200 /);
  await silent.write(encoder.encode(`GET / ${HEAD}Connection: close\r\n\r\n`));
  match(await readAll(silent), / 200 /);
});

Deno.test("HttpListener lets a client wait while callers use all connections", async () => {
  const go = Promise.withResolvers<void>();
  await using listening = listen(async (_request, { exchange }) => {
    exchange.ofCaller();
    await go.promise;
    return new Response("ok");
  }, { maxConnections: 1 });
  using first = await connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`);
  using waiting = await connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`);
  const answer = readAll(waiting);
  const early = await Promise.race([answer, new Promise((r) => setTimeout(r, 300, "waits"))]);
  strictEqual(early, "waits");
  go.resolve();
  match(await readAll(first), / 200 /);
  match(await answer, / 200 /);
});

Deno.test("HttpListener accepts again after failures, and stops while it can't accept", async () => {
  const failure = new Error("Too many open files (os error 24)");
  const tcp = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let failures = 3;
  const errors: unknown[] = [];
  const server = new HttpListener({
    addr: tcp.addr,
    accept: () => failures-- > 0 ? Promise.reject(failure) : tcp.accept(),
    close: () => tcp.close(),
  }, {
    handler: answerOk,
    timeouts: LONG,
    maxConnections: 100,
    onAcceptError: (error) => errors.push(error),
    serveConnection: findServeConnection()!,
  });
  const listening = { server, errors, [Symbol.asyncDispose]: () => server.shutdown() };
  using client = await connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`);
  match(await readAll(client), / 200 /);
  strictEqual(errors[0], failure);
  strictEqual(errors.length, 1);
  failures = Infinity;
  using _never = await connect(listening, `GET / ${HEAD}\r\n`);
  await server.shutdown();
});

Deno.test("HttpListener answers current requests when it stops, and waits for nothing else", async () => {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const listening = listen(async () => {
    begun.resolve();
    await go.promise;
    return new Response("done");
  });
  using half = await connect(listening, "GET /");
  using client = await connect(listening, `GET / ${HEAD}\r\n`);
  await begun.promise;
  const stopped = listening.server.shutdown();
  strictEqual(await readAll(half), "");
  go.resolve();
  match(await readAll(client), /done$/);
  await stopped;
  await listening.server.finished;
});

Deno.test("HttpListener requests a body with 100 Continue", async () => {
  await using listening = listen(echo);
  const head = `POST / ${HEAD}Content-Type: application/json\r\nConnection: close\r\n`;
  using client = await connect(
    listening,
    `${head}Expect: 100-continue\r\nContent-Length: 1\r\n\r\n`,
  );
  match(await readUntil(client, "\r\n\r\n"), /^HTTP\/1.1 100 /);
  await client.write(encoder.encode("7"));
  match(await readAll(client), /^HTTP\/1.1 200 [^]*"value":7/);
});

Deno.test("listenHttp() falls back to Deno.serve, and reports it", async () => {
  await using listening = listen(answerOk, { serveConnection: undefined });
  using client = await connect(listening, `GET / ${HEAD}Connection: close\r\n\r\n`);
  match(await readAll(client), / 200 [^]*ok$/);
  strictEqual(listening.errors[0], "unbounded");
});
