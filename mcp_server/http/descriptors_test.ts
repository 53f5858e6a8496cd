import { BUILT_IN_TOOLS } from "../testing/built_in_tools.ts";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { callApi, toAnswer } from "../testing/http_caller.ts";
import { freePort } from "../testing/free_port.ts";
import { type ServerProcess, startServer } from "../testing/server_process.ts";

const HEADER_MS = 1_000;

/** Starts a server with a limit on its open files, sockets and pipes. */
async function startWith(
  descriptors: number,
  folder: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const program = `${folder}/server.sh`;
  const main = new URL("../main.ts", import.meta.url).pathname;
  await Deno.writeTextFile(
    program,
    `#!/bin/sh\nulimit -n ${descriptors}\nexec "${Deno.execPath()}" run --quiet -A "${main}" "$@"\n`,
    { mode: 0o700 },
  );
  return await startServer({
    program,
    env,
    args: ["--header-timeout-ms", String(HEADER_MS), ...args],
  });
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

Deno.test("a server without free descriptors continues once clients disconnect or time out", async () => {
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

Deno.test("a server without free descriptors stops on SIGTERM", async () => {
  const folder = await Deno.makeTempDir();
  {
    await using server = await startWith(128, folder);
    using _half = await openHalf(server.url, 160);
    await server.logged(/cannot accept a connection/);
    strictEqual(await server.stop(), 0);
  }
  await Deno.remove(folder, { recursive: true });
});

/**
 * Runs a server that loads what calls and MCP need. Deno panics if it compiles a module, which it
 * does once on a machine, without a free descriptor.
 */
async function compileAll(): Promise<void> {
  await using server = await startServer();
  await callApi(server.url, "bash-script", { script: "true" });
  await (await fetch(`${server.url}/mcp`, { method: "POST", body: "{}" })).body?.cancel();
}

/** Resolves once no script is left in a folder; rejects after 10 s. */
async function untilEmpty(folder: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while ([...Deno.readDirSync(folder)].length > 0) {
    if (performance.now() > deadline) throw new Error(`Cannot find "${folder}" empty`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("40 calls at 64 descriptors are answered or rejected, and the server continues", async () => {
  await using folder = await createTempFolder();
  await using temp = await createTempFolder();
  await compileAll();
  await using server = await startWith(64, folder.path, { TMPDIR: temp.path });
  const calls = Array.from({ length: 40 }, async () => {
    const init = { headers: { connection: "close" }, signal: AbortSignal.timeout(20_000) };
    return (await callApi(server.url, "bash-script", { script: "sleep 0.2" }, init)).status;
  });
  const statuses = (await Promise.allSettled(calls)).flatMap((call) =>
    call.status === "fulfilled" ? [call.value] : []
  );
  ok(statuses.length > 0);
  deepStrictEqual(statuses.filter((status) => ![200, 422, 507].includes(status)), []);
  const after = await callApi(server.url, "bash-script", { script: "echo on" })
    .catch((error) => ({ status: `${error}: ${server.stderr()}` }));
  strictEqual(after.status, 200);
  await untilEmpty(temp.path);
  strictEqual(await server.stop(), 0);
});

/** Opens connections with half a request as soon as a port is listened on, until it is disposed of. */
function floodFromStart(url: string, count: number): AsyncDisposable {
  let isOver = false;
  const flood = async () => {
    while (!isOver) {
      try {
        return await openHalf(url, count);
      } catch (error) {
        if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    return { [Symbol.dispose]: () => {} };
  };
  const flooding = flood();
  return {
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      (await flooding)[Symbol.dispose]();
    },
  };
}

Deno.test("a server that loads lacks no descriptor, however many clients connect meanwhile", async () => {
  await using folder = await createTempFolder();
  const port = freePort();
  const starting = startWith(64, folder.path, {}, ["--port", String(port)]);
  const flood = floodFromStart(`http://127.0.0.1:${port}`, 120);
  await using server = await starting.finally(() => flood[Symbol.asyncDispose]());
  const { status, body } = await toAnswer(await fetch(`${server.url}/api/tools`));
  deepStrictEqual([status, Array.isArray(body.tools) && body.tools.length], [
    200,
    BUILT_IN_TOOLS.length,
  ]);
  const latest = performance.now() + 30_000;
  // The server closes its side of the flood bit by bit.
  while ((await callApi(server.url, "bash-script", { script: "echo on" })).status !== 200) {
    ok(performance.now() < latest, "commands never run");
  }
  strictEqual(await server.stop(), 0);
});
