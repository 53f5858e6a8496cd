import { strictEqual } from "node:assert/strict";
import { callApi, toAnswer } from "../testing/http_caller.ts";
import { type ServerProcess, startServer } from "../testing/server_process.ts";

const HEADER_MS = 1_000;

/** Starts a server that may open so many files, sockets and pipes. */
async function startWith(descriptors: number, folder: string): Promise<ServerProcess> {
  const program = `${folder}/server.sh`;
  const main = new URL("../main.ts", import.meta.url).pathname;
  await Deno.writeTextFile(
    program,
    `#!/bin/sh\nulimit -n ${descriptors}\nexec "${Deno.execPath()}" run --quiet -A "${main}" "$@"\n`,
    { mode: 0o700 },
  );
  return await startServer({ program, args: ["--header-timeout-ms", String(HEADER_MS)] });
}

async function openHalf(url: string, count: number): Promise<Disposable> {
  const { hostname, port } = new URL(url);
  const open = Array.from({ length: count }, async () => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode("GET /healthz HTTP/1.1\r\n"));
    return connection;
  });
  const all = await Promise.all(open);
  return { [Symbol.dispose]: () => all.forEach((connection) => connection.close()) };
}

Deno.test("a server without free descriptors goes on once clients have left or are too slow", async () => {
  const folder = await Deno.makeTempDir();
  {
    await using server = await startWith(128, folder);
    using _half = await openHalf(server.url, 160);
    await server.logged(/cannot accept a connection.*Too many open files/);
    strictEqual((await toAnswer(await fetch(`${server.url}/healthz`))).body.text, "ok");
    strictEqual(await server.stop(), 0);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a server without free descriptors obeys SIGTERM", async () => {
  const folder = await Deno.makeTempDir();
  {
    await using server = await startWith(128, folder);
    using _half = await openHalf(server.url, 160);
    await server.logged(/cannot accept a connection/);
    strictEqual(await server.stop(), 0);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("20 calls at 64 descriptors are answered or refused, and the server goes on", async () => {
  const folder = await Deno.makeTempDir();
  {
    await using server = await startWith(64, folder);
    const calls = Array.from({ length: 20 }, async () => {
      const init = { headers: { connection: "close" }, signal: AbortSignal.timeout(20_000) };
      return (await callApi(server.url, "bash-script", { script: "sleep 0.2" }, init)).status;
    });
    await Promise.allSettled(calls);
    strictEqual((await callApi(server.url, "bash-script", { script: "echo on" })).status, 200);
    strictEqual(await server.stop(), 0);
  }
  await Deno.remove(folder, { recursive: true });
});
