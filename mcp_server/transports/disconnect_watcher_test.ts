import { strictEqual } from "node:assert/strict";
import { uniqueSleep, untilProcesses } from "../testing/processes.ts";
import { startServer } from "../testing/server_process.ts";
import { HangUpWatch } from "./disconnect_watcher.ts";

const START_FLAGS = ["read", "write", "run", "env", "net", "sys"].map((name) => `--allow-${name}`);
/** What the server promises, and slack for a machine that is busy with other tests. */
const STOP_MS = 4_000 + 4_000;

/** Sends a call over a plain connection and hangs up while it runs. */
async function callAndHangUp(url: string, padding: number): Promise<string> {
  const sleep = uniqueSleep();
  const script = `sleep ${sleep} #${"x".repeat(padding)}`;
  const body = JSON.stringify({ tool: "bash-script", args: { script } });
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head = `POST /api HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  await connection.write(new TextEncoder().encode(body));
  await untilProcesses(sleep, 1, 10_000);
  connection.close();
  return sleep;
}

for (const permissions of [["-A"], START_FLAGS]) {
  Deno.test(`a client that hangs up stops its call, large or small (${permissions[0]})`, async () => {
    await using server = await startServer({ permissions });
    for (const padding of [0, 800, 60_000]) {
      const sleep = await callAndHangUp(server.url, padding);
      await untilProcesses(sleep, 0, STOP_MS);
    }
  });
}

Deno.test("a client that stays has its answer, however long the call takes", async () => {
  await using server = await startServer();
  const body = JSON.stringify({
    tool: "bash-script",
    args: { script: `sleep 2.2; echo done #${"x".repeat(2_000)}` },
  });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const { stdout } = await (await fetch(`${server.url}/api`, init)).json();
  strictEqual(stdout, "done\n");
});

Deno.test("HangUpWatch reads no table for calls that are over at its first look", async () => {
  let reads = 0;
  const watch = new HangUpWatch(() => 1, () => {
    reads++;
    return Promise.resolve(new Uint8Array());
  });
  using _late = watch.watch({ hostname: "127.0.0.1", port: 2 }, () => {});
  await new Promise((resolve) => setTimeout(resolve, 600));
  strictEqual(reads, 0);
});

Deno.test("HangUpWatch takes nobody for gone where the tables can't be read", async () => {
  let gone = false;
  const watch = new HangUpWatch(() => 1, () => Promise.resolve(new Uint8Array()));
  using _call = watch.watch({ hostname: "127.0.0.1", port: 2 }, () => gone = true);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  strictEqual(gone, false);
});
