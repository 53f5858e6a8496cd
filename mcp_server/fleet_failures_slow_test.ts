import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { createFleet, startOn } from "./testing/fleet.ts";
import { type JobsServer, parseEvents } from "./testing/jobs_server.ts";
import { startPostgres } from "./testing/postgres.ts";
import { processesWith, uniqueSleep, untilProcesses } from "./testing/processes.ts";

/** The promise is 30 s. */
const LOST_MS = 30_000;

const output = async (server: JobsServer, id: string) =>
  await (await server.send(`/api/jobs/${id}/stdout`)).text();

Deno.test("the jobs of a killed server are lost or start again, and one that was stopped can't go on", async () => {
  await using postgres = await startPostgres();
  await using fleet = await createFleet(postgres);
  await using folder = await createTempFolder();
  const first = await fleet.join("web-1");
  const killed = await fleet.join("web-2", { MCP_LABELS: "builder" });
  const stopped = await fleet.join("web-3");
  // A process that is stopped would not end with the fleet.
  using _goesOn = { [Symbol.dispose]: () => stopped.server.process.kill("SIGCONT") };
  const [ofKilled, ofStopped] = [uniqueSleep(), uniqueSleep()];
  const lost = await startOn(first, `echo begun; sleep ${ofKilled}`, { on: "name:web-2" });
  const gate = `${folder.path}/gate`;
  const again = await startOn(
    first,
    `echo "$RANDOM$RANDOM$RANDOM begun"; [ -e ${gate} ] || sleep ${ofKilled}; echo ended`,
    { on: "builder", retries: 1 },
  );
  const stalled = await startOn(first, `echo begun; sleep ${ofStopped}`, { on: "name:web-3" });
  for (const { id } of [lost, again, stalled]) {
    await until(async () => (await output(first, id)).includes("begun"));
  }
  await untilProcesses(ofStopped, 1, 30_000);
  const before = await output(first, again.id);
  const watched = first.send(`/api/jobs/${again.id}/events`).then((response) => response.text());

  killed.server.process.kill("SIGKILL");
  stopped.server.process.kill("SIGSTOP");
  const killedAt = performance.now();
  await Deno.writeTextFile(gate, "");
  const end = await first.ended(lost.id);
  const lostMs = performance.now() - killedAt;
  ok(lostMs < LOST_MS, `lost after ${lostMs} ms`);
  deepStrictEqual([end.state, end.error?.code, end.server], ["lost", "JOB_LOST", "web-2"]);
  strictEqual(await output(first, lost.id), "begun\n");
  strictEqual((await first.ended(stalled.id)).state, "lost");
  // Its server left processes on this machine, which another server ends.
  await untilProcesses(ofKilled, 0, 30_000);

  const successor = await fleet.join("web-4", { MCP_LABELS: "builder" });
  const rerun = await successor.ended(again.id);
  deepStrictEqual([rerun.state, rerun.attempt, rerun.server], ["completed", 2, "web-4"]);
  const after = await output(first, again.id);
  match(after, /^\d+ begun\nended\n$/);
  ok(!after.startsWith(before.trim()), "the output starts anew");
  const events = parseEvents(await watched).filter(({ event }) => event !== "result");
  deepStrictEqual(events.flatMap(({ data: { state } }) => state === undefined ? [] : [state]), [
    "queued",
    "running",
    "queued",
    "running",
    "completed",
  ]);
  strictEqual(events.map(({ data: { text } }) => text ?? "").join(""), before + after);

  stopped.server.process.kill("SIGCONT");
  await untilProcesses(ofStopped, 0, 30_000);
  strictEqual(await output(first, stalled.id), "begun\n");
  strictEqual((await first.job(stalled.id)).state, "lost");
  const next = await startOn(first, "echo here", { on: "name:web-3" });
  const { state, error, server } = await first.ended(next.id);
  deepStrictEqual([state, error, server], ["completed", undefined, "web-3"]);
  deepStrictEqual(await processesWith(ofKilled), []);
});

Deno.test("while PostgreSQL is away, calls and running jobs go on, and no output is lost", async () => {
  await using postgres = await startPostgres();
  await using fleet = await createFleet(postgres);
  const servers = [await fleet.join("web-1"), await fleet.join("web-2")] as const;
  const [first, second] = servers;
  const lines = `i=0; while [ $i -lt 300 ]; do i=$((i+1)); printf '%015d\\n' $i; sleep 0.1; done`;
  const jobs = await Promise.all(
    servers.map((_, at) => startOn(first, lines, { on: `name:web-${at + 1}` })),
  );
  for (const { id } of jobs) await first.running(id);
  await until(async () => (await output(second, jobs[0]?.id ?? "")).length > 0);

  await postgres.stop();
  const call = await first.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tool: "exec-command", args: { commands: [{ command: "echo on" }] } }),
  });
  strictEqual(call.status, 200);
  const away = await second.send("/api/jobs");
  strictEqual(away.status, 503);
  const { code, detail } = await away.json();
  strictEqual(code, "JOBS_UNAVAILABLE");
  match(detail, /^Cannot keep jobs in PostgreSQL: /);
  strictEqual((await startWith(first)).status, 503);
  // Longer than a lease.
  await new Promise((resolve) => setTimeout(resolve, 14_000));
  await postgres.start();
  await until(async () => (await first.send("/api/jobs")).status === 200);
  strictEqual((await startWith(second)).status, 202);
  for (const { id } of jobs) {
    const { state, attempt, error } = await first.ended(id);
    deepStrictEqual([state, attempt, error], ["completed", 1, undefined]);
    const text = await output(second, id);
    deepStrictEqual(
      text.trim().split("\n").map(Number),
      Array.from({ length: 300 }, (_, at) => at + 1),
    );
  }
});

function startWith({ start }: JobsServer): Promise<Response> {
  return start({ tool: "exec-command", args: { commands: [{ command: "true" }] } });
}

async function until(isSo: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!await isSo()) {
    if (performance.now() > end) throw new Error("Cannot wait any longer");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
