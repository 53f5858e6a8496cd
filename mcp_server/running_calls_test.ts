import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import type { LiveCall, LiveCallList } from "./mod.ts";
import { CALL_WAYS } from "./testing/call_ways.ts";
import { bearerOf, EVERYTHING, writeCallers } from "./testing/callers_file.ts";
import { toAnswer } from "./testing/http_caller.ts";
import { processesWith, uniqueSleep, untilProcesses } from "./testing/processes.ts";
import { startServer } from "./testing/server_process.ts";

/** How long commands take to begin on a busy machine. */
const START_MS = 20_000;

/** The transport of the calls of each way, in the order of the ways. */
const TRANSPORTS = [
  "http",
  "http",
  "job",
  "job",
  "mcp-http",
  "job",
  "mcp-http",
  "mcp-http",
  "job",
];

const STOPPED = /stopped by the caller \\*"ops/;

async function listOf(url: string, caller: string): Promise<LiveCallList> {
  return await (await fetch(`${url}/api/calls`, { headers: bearerOf(caller) })).json();
}

async function stop(url: string, id: string, caller: string) {
  const init = { method: "DELETE", headers: bearerOf(caller) };
  return await toAnswer(await fetch(`${url}/api/calls/${id}`, init));
}

async function readAudit(path: string): Promise<Record<string, string>[]> {
  const text = await Deno.readTextFile(path);
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

Deno.test("running calls of every way are listed for those who may see them, and stopped", async (t) => {
  await using folder = await createTempFolder();
  const audit = `${folder.path}/audit`;
  const ci = EVERYTHING;
  const callers = { ci, other: EVERYTHING, ops: { tools: [], admin: true } };
  await using server = await startServer({
    args: ["--callers", await writeCallers(folder.path, callers)],
    env: {
      MCP_DATA_DIR: `${folder.path}/data`,
      MCP_AUDIT_FILE: audit,
      MCP_MAX_RUNS: "16",
      // Clients that know tasks wait for their calls, too.
      MCP_TASK_AFTER_MS: "600000",
    },
  });
  const { url } = server;
  const sleep = uniqueSleep();
  const ways = Object.values(CALL_WAYS);
  const script =
    `echo "$MCP_RUN_ID" >${folder.path}/run-$$; setsid sleep ${sleep} & sleep ${sleep}`;
  const answers = ways.map((send, at) => {
    const stubborn = at === 0 ? `trap "" TERM; ${script}` : script;
    return send(url, { tool: "bash-script", args: { script: stubborn } }, bearerOf("ci"));
  });
  await untilProcesses(`sleep\0${sleep}`, 2 * ways.length, START_MS);
  const { calls, more } = await listOf(url, "ops");

  await t.step("an admin sees all, and a caller its own", async () => {
    const ids = ({ calls }: LiveCallList) => calls.map(({ id }) => id);
    deepStrictEqual(calls.map(({ transport }) => transport).toSorted(), TRANSPORTS.toSorted());
    strictEqual(more, 0);
    for (const { tool, caller, transport, elapsedMs, job, stopping } of calls) {
      deepStrictEqual([tool, caller, stopping], ["bash-script", "ci", false]);
      strictEqual(job !== undefined, transport === "job");
      ok(elapsedMs > 0);
    }
    deepStrictEqual(ids(await listOf(url, "ci")), ids({ calls, more }));
    deepStrictEqual(await listOf(url, "other"), { calls: [], more: 0 });
  });

  await t.step("the environment of a process names its call, and its job before that", async () => {
    const words: string[][] = [];
    for await (const { name } of Deno.readDir(folder.path)) {
      if (!name.startsWith("run-")) continue;
      words.push((await Deno.readTextFile(`${folder.path}/${name}`)).split(" "));
    }
    for (const { id, job } of calls) {
      const [first] = words.find((all) => all.includes(id)) ?? [];
      ok(first !== undefined && (job === undefined || first === job), id);
    }
  });

  await t.step("a caller that does not see a call can't stop it", async () => {
    const { status, body } = await stop(url, calls[0]?.id ?? "", "other");
    deepStrictEqual([status, body.code], [404, "CALL_NOT_FOUND"]);
    strictEqual((await stop(url, "unknown", "ops")).status, 404);
    strictEqual((await listOf(url, "ci")).calls.length, ways.length);
  });

  await t.step("an admin stops calls with their processes, and says who it is", async () => {
    const stopped = await Promise.all(calls.map(({ id }) => stop(url, id, "ops")));
    deepStrictEqual(await processesWith(`sleep\0${sleep}`), []);
    for (const [at, { status, body }] of stopped.entries()) {
      deepStrictEqual([status, body.id, body.stopping], [200, calls[at]?.id, false]);
    }
    strictEqual((await stop(url, calls[0]?.id ?? "", "ops")).status, 404);
  });

  await t.step("the clients are answered with who stopped them", async () => {
    const texts = (await Promise.all(answers)).map(({ text }) => text);
    const jobs = calls.flatMap(({ job }: LiveCall) => job ?? []);
    const init = { headers: bearerOf("ci") };
    const ends = await Promise.all(jobs.map(async (id) => {
      // The stream of its events ends with the job.
      await (await fetch(`${url}/api/jobs/${id}/events`, init)).text();
      return await (await fetch(`${url}/api/jobs/${id}`, init)).text();
    }));
    for (const text of ends) match(text, /"state":"cancelled".*stopped by the caller \\"ops/);
    const names = Object.keys(CALL_WAYS);
    const waiting = texts.filter((_, at) => !names[at]?.startsWith("job-start"));
    deepStrictEqual(waiting.filter((text) => !STOPPED.test(text)), []);
    strictEqual((await answers[0])?.status, 499);
    match(texts[0] ?? "", /"code":"CANCELLED"/);
    match(texts[1] ?? "", /event: error\ndata: .*"code":"CANCELLED"/);
  });

  await t.step("the audit has every start, every end, and who stopped what", async () => {
    await server.stop();
    const lines = await readAudit(audit);
    const of = (kind: string) => lines.filter(({ audit }) => audit === kind);
    deepStrictEqual(of("start").map(({ id }) => id).sort(), of("end").map(({ id }) => id).sort());
    deepStrictEqual(
      of("stop").map(({ call, caller, tool }) => [call, caller, tool]).sort(),
      calls.map(({ id }) => [id, "ops", "bash-script"]).sort(),
    );
    for (const { id, tool, caller, transport, startedAt } of calls) {
      const [start, end] = ["start", "end"].map((kind) => of(kind).find((line) => line.id === id));
      const about = [start?.tool, start?.caller, start?.transport, start?.time, end?.outcome];
      deepStrictEqual(about, [tool, caller, transport, startedAt, "CANCELLED"]);
    }
  });
});
