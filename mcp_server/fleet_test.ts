import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { isWholeRun } from "../test_support/tier.ts";
import { DEFAULT_CALLER } from "./access/caller.ts";
import type { JobRequest } from "./tool/job_service.ts";
import { EVERYTHING, tokenOf, writeCallers } from "./testing/callers_file.ts";
import { createFleet, startOn } from "./testing/fleet.ts";
import {
  createJobsApp,
  type JobsApp,
  readWhole,
  untilEnd,
  untilOutput,
} from "./testing/jobs_app.ts";
import { startPostgres } from "./testing/postgres.ts";
import { uniqueSleep, untilProcesses } from "./testing/processes.ts";

const postgres = await startPostgres();
globalThis.addEventListener("unload", () => postgres.kill());

let schemas = 0;

/** Creates servers that share their jobs, with these names. */
function createServers<const Names extends readonly string[]>(names: Names, env = {}) {
  const schema = `apps_${++schemas}`;
  return Promise.all(names.map((name) => joinSchema(schema, name, env)));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 30_000; performance.now() < end;) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Cannot see what was expected");
}

function joinSchema(schema: string, name: string, env = {}): Promise<JobsApp> {
  return createJobsApp({
    MCP_JOBS_URL: postgres.url(),
    MCP_JOBS_SCHEMA: schema,
    MCP_NAME: name,
    MCP_LABELS: name === "web-2" ? "builder,gpu" : "",
    ...env,
  });
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function start({ jobs }: JobsApp, command: string, more: Partial<JobRequest> = {}, key?: string) {
  const args = { commands: [{ command }] };
  const options = key === undefined ? {} : { idempotencyKey: key };
  return jobs.start({ tool: "exec-command", args, ...more }, options);
}

Deno.test("two servers do the work of one", async (t) => {
  const [first, second] = await createServers(["web-1", "web-2"]);
  await using one = first!;
  await using two = second!;
  await t.step("any server of a fleet answers for a job, whichever runs it", async () => {
    const { job } = await start(one, 'echo on; read line; echo "got $line"; exit 3', {
      on: "builder",
      stdin: true,
    });
    deepStrictEqual([job.state, job.server, job.attempt], ["queued", undefined, 1]);
    await untilOutput(one.jobs, job.id, "on\n");
    const running = await one.jobs.get(job.id);
    deepStrictEqual([running.state, running.server, running.attempt], ["running", "web-2", 1]);
    await one.jobs.writeStdin(job.id, new TextEncoder().encode("a line\n"));
    const ended = await untilEnd(one.jobs, job.id);
    match(JSON.stringify([ended.state, ended.result]), /"completed".*"exitCode":3/);
    strictEqual(decode(await readWhole(one.jobs, job.id)), "on\ngot a line\n");
    const { job: named } = await start(two, "sleep 100", { on: "name:web-1" });
    await two.jobs.wait(named.id, { timeoutMs: 20_000, since: "queued" });
    strictEqual((await two.jobs.cancel(named.id)).server, "web-1");
    strictEqual((await untilEnd(two.jobs, named.id)).state, "cancelled");
    const servers = await one.app.jobs.servers();
    deepStrictEqual(servers.map(({ name, labels, load }) => [name, labels, load.queue]), [
      ["web-1", [], 0],
      ["web-2", ["builder", "gpu"], 0],
    ]);
  });
  await t.step("a job has its terminal on whichever server runs it", async () => {
    const tty = { rows: 30, cols: 90 };
    const { job } = await start(one, "stty size; read line", { on: "builder", tty });
    strictEqual(job.stdin, true);
    await untilOutput(one.jobs, job.id, "30 90\r\n");
    await one.jobs.writeStdin(job.id, new TextEncoder().encode("a line\n"));
    const ended = await untilEnd(one.jobs, job.id);
    match(JSON.stringify([ended.server, ended.result]), /"web-2".*"exitCode":0/);
  });
  await t.step(
    "a call goes on as a job of the fleet, and leaves one with what its answer leaves out",
    async () => {
      const call = async (args: object) => {
        const outcome = await one.app.service.call("exec-command", args, {
          transport: "mcp-http",
          client: new AbortController(),
          caller: DEFAULT_CALLER,
        });
        return JSON.parse(JSON.stringify(outcome)).result.structuredContent;
      };
      const { job: { id } } = await call({
        command: "echo on; sleep 2; echo off",
        timeoutMs: 500,
        onTimeout: "job",
      });
      const { state, server, title } = await untilEnd(two.jobs, id);
      deepStrictEqual([state, server], ["completed", "web-1"]);
      strictEqual(title, "exec-command: echo on; sleep 2; echo off");
      strictEqual(decode(await readWhole(two.jobs, id)), "on\noff\n");
      const { results: [{ truncated, job: kept }] } = await call({ command: "seq 1 60000" });
      strictEqual(truncated, true);
      strictEqual((await readWhole(two.jobs, kept)).length, 348_894);
    },
  );
});

Deno.test("a key starts one job in a whole fleet, even if several servers use it at once", async () => {
  const servers = await createServers(["web-1", "web-2", "web-3"]);
  const started = await Promise.all(servers.map((server) => start(server, "true", {}, "build-7")));
  strictEqual(new Set(started.map(({ job }) => job.id)).size, 1);
  strictEqual(started.filter(({ replayed }) => !replayed).length, 1);
  await rejects(start(servers[0]!, "false", {}, "build-7"), { code: "IDEMPOTENCY_KEY_REUSED" });
  for (const server of servers) await server[Symbol.asyncDispose]();
});

Deno.test("jobs wait in the fleet while there is no room, and can be cancelled there", async () => {
  const [only] = await createServers(["web-1"], { MCP_MAX_RUNS: "2" });
  await using server = only!;
  const { job } = await start(server, "echo on; read line", { stdin: true });
  await untilOutput(server.jobs, job.id, "on");
  const [waiting, next] = [await start(server, "echo never"), await start(server, "echo next")];
  strictEqual((await server.jobs.cancel(waiting.job.id)).state, "cancelled");
  strictEqual((await server.jobs.get(next.job.id)).state, "queued");
  await server.jobs.endStdin(job.id);
  strictEqual((await untilEnd(server.jobs, next.job.id)).state, "completed");
  strictEqual((await server.jobs.get(waiting.job.id)).startedAt, undefined);
});

Deno.test("a server that was taken for gone ends its jobs, and goes on as a new one", async () => {
  const [only] = await createServers(["web-1"]);
  await using server = only!;
  const sleep = uniqueSleep();
  const { job } = await start(server, `sleep ${sleep}`);
  await untilProcesses(sleep, 1, 10_000);
  // As another server does, but on another machine: it can't end the processes here.
  await postgres.ask(`UPDATE apps_${schemas}.server SET left_jobs = '{}'`);
  await untilProcesses(sleep, 0, 20_000);
  strictEqual((await server.jobs.get(job.id)).state, "running");
  const next = await start(server, "true");
  strictEqual((await untilEnd(server.jobs, next.job.id)).state, "completed");
});

Deno.test("a server that drains is draining in the list of every server, until its jobs have ended", async () => {
  const [first, second] = await createServers(["web-1", "web-2"], {
    MCP_DRAIN_MS: "300000",
    MCP_DRAIN_NOTICE_MS: "0",
  });
  await using one = first!;
  await using two = second!;
  const { job } = await start(two, "read line", { on: "name:web-1", stdin: true });
  await two.jobs.wait(job.id, { timeoutMs: 30_000, since: "queued" });
  const states = async ({ app }: JobsApp) =>
    (await app.jobs.servers()).map(({ name, state }) => `${name} ${state}`);
  deepStrictEqual(await states(two), ["web-1 ready", "web-2 ready"]);
  const drained = one.app.drain();
  strictEqual(one.app.jobs.state, "draining");
  await until(async () => (await states(two))[0] === "web-1 draining");
  deepStrictEqual(await states(one), ["web-1 draining", "web-2 ready"]);
  await two.jobs.endStdin(job.id);
  await drained;
  strictEqual((await untilEnd(two.jobs, job.id)).state, "completed");
});

Deno.test("a job with retries waits for another server when its own is stopped, and no retry is taken", async () => {
  const schema = `apps_${schemas + 1}`;
  const [only] = await createServers(["web-1"]);
  await using folder = await createTempFolder();
  const gate = `${folder.path}/gate`;
  const command = `echo "begun $(cat ${gate} 2>&1)"; [ -e ${gate} ] || sleep 300; echo ended`;
  const [again, once] = await (async () => {
    await using first = only!;
    const [again, once] = [
      await start(first, command, { retries: 1 }),
      await start(first, command),
    ].map(({ job }) => job.id);
    for (const id of [again!, once!]) await untilOutput(first.jobs, id, "begun");
    return [again!, once!];
  })();
  for (let stops = 0; stops < 2; stops++) {
    await using server = await joinSchema(schema, "web-2");
    await untilOutput(server.jobs, again, "begun");
    const { state, attempt, server: name } = await server.jobs.get(again);
    deepStrictEqual([state, attempt, name], ["running", 1, "web-2"]);
    const { error } = await server.jobs.get(once);
    strictEqual(error?.code, "SHUTTING_DOWN");
  }
  await Deno.writeTextFile(gate, "anew");
  await using last = await joinSchema(schema, "web-3");
  const ended = await untilEnd(last.jobs, again);
  deepStrictEqual([ended.state, ended.attempt, ended.server], ["completed", 1, "web-3"]);
  strictEqual(decode(await readWhole(last.jobs, again)), "begun anew\nended\n");
});

Deno.test("a job that is cancelled while its server stops is not started again", async () => {
  const schema = `apps_${schemas + 1}`;
  const [only, other] = await createServers(["web-1", "web-2"]);
  await using second = other!;
  const { job: { id } } = await start(only!, "echo begun; sleep 300", {
    on: "name:web-1",
    retries: 1,
  });
  await untilOutput(second.jobs, id, "begun");
  // The server that runs it hears nothing of it any more.
  await postgres.ask(
    `INSERT INTO ${schema}.command (job, kind) SELECT seq, 'cancel' FROM ${schema}.job WHERE id = '${id}'`,
  );
  await only![Symbol.asyncDispose]();
  strictEqual((await untilEnd(second.jobs, id)).state, "cancelled");
});

/** What a broken replica or an operator's tool may have done to a job that waits. */
const EVERY_BREAK: readonly (readonly [reason: string, sql: string])[] = [
  ["its message names no job", "UPDATE ~_boss.job SET data = NULL WHERE id = '@'"],
  ["its message names no job", `UPDATE ~_boss.job SET data = '{"job": 1}' WHERE id = '@'`],
  ["its call is not JSON", "UPDATE ~.call SET call = 'secret' WHERE job = #"],
  ["its call has another form", "UPDATE ~.call SET call = '[]' WHERE job = #"],
  ["its call has another form", "DELETE FROM ~.call WHERE job = #"],
  ["its row can't be read", "UPDATE ~.job SET error = 'secret' WHERE seq = #"],
  [
    "its rows break a rule of the tables (SQLSTATE 23505)",
    "INSERT INTO ~.journal VALUES (#, 2, 0, 0, 'secret')",
  ],
];

/** In a run of every day, one of the message, one of the call, and one of the tables. */
const BREAKS = EVERY_BREAK.filter((_, index) => isWholeRun || index % 3 === 0);

Deno.test("a broken job of the queue fails alone, loudly, and the queue goes on", async () => {
  await using fleet = await createFleet(postgres);
  const { schema } = fleet;
  const first = await fleet.join("web-1");
  {
    await using builder = await fleet.join("web-2", { MCP_LABELS: "builder" });
    await builder.server.stop();
  }
  const ids: string[] = [];
  for (const [, sql] of BREAKS) {
    const whole = await startOn(first, "echo on", { on: "builder" });
    const { id } = await startOn(first, "echo on", { on: "builder", retries: 1 });
    ids.push(whole.id, id);
    const seq = `(SELECT seq FROM ${schema}.job WHERE id = '${id}')`;
    await postgres.ask(
      sql.replaceAll("~", schema).replaceAll("@", id).replaceAll("#", seq),
    );
  }
  await postgres.ask(`INSERT INTO ${schema}_boss.job (name, data) VALUES ('label.builder', NULL)`);
  const last = await startOn(first, "echo on", { on: "builder" });
  // Version 0.2.0 gives messages an id of their own.
  await postgres.ask(
    `UPDATE ${schema}_boss.job SET id = gen_random_uuid() WHERE id = '${last.id}'`,
  );
  const builder = await fleet.join("web-2", { MCP_LABELS: "builder" });
  for (const id of [...ids.filter((_, at) => at % 2 === 0), last.id]) {
    strictEqual((await first.ended(id)).state, "completed");
  }
  for (const [at, [reason]] of BREAKS.entries()) {
    const { id, state, error } = await first.ended(ids[2 * at + 1]!);
    deepStrictEqual([state, error], ["failed", {
      code: "JOB_BROKEN",
      message: `Cannot run the job "${id}": ${reason}; start it again`,
    }]);
    await builder.server.logged(new RegExp(`a job in the queue is broken.*"job":"${id}"`));
  }
  strictEqual(await postgres.ask(`SELECT count(*) FROM ${schema}_boss.job`), "0");
  strictEqual(builder.server.stderr().includes("secret"), false);
});

Deno.test("a job that asks for what there is not is refused", async () => {
  await using alone = await createJobsApp({ MCP_NAME: "web-9", MCP_LABELS: "builder" });
  const [only] = await createServers(["web-1"]);
  await using server = only!;
  const refusals: [JobsApp, Partial<JobRequest>, RegExp][] = [
    [server, { on: "gpu" }, /^Cannot start the job on "gpu": no server has had this/],
    [server, { on: "name:" }, /^Cannot start the job on "name:": it must be a label or name:/],
    [server, { retries: 11 }, /^Cannot start the job with 11 retries: there may be 0 to 10$/],
    [alone, { on: "gpu" }, /^Cannot start the job on "gpu": it would run on "name:web-9"/],
    [alone, { retries: 1 }, /^Cannot start the job with retries: nobody could start it again/],
  ];
  for (const [where, request, message] of refusals) {
    await rejects(start(where, "true", request), { code: "INVALID_ARGUMENTS", message });
  }
  const { job } = await start(alone, "true", { on: "builder" });
  strictEqual((await untilEnd(alone.jobs, job.id)).state, "completed");
  deepStrictEqual((await alone.app.jobs.servers()).map(({ name }) => name), ["web-9"]);
});

Deno.test("a job that another server accepted has the rights that its caller has where it runs", async () => {
  await using fleet = await createFleet(postgres);
  await using folder = await createTempFolder();
  const rights = { ...EVERYTHING, tools: ["exec-command"] };
  const known = await writeCallers(folder.path, { ada: EVERYTHING, bob: EVERYTHING });
  await Deno.mkdir(`${folder.path}/two`);
  const other = await writeCallers(`${folder.path}/two`, { ada: rights });
  const first = await fleet.join("web-1", { MCP_CALLERS_FILE: known });
  await fleet.join("web-2", { MCP_CALLERS_FILE: other });
  const endOf = async (name: string, tool: string, args: object) => {
    const authorization = `Bearer ${tokenOf(name)}`;
    const response = await first.start({ tool, args, on: "name:web-2" }, {
      authorization,
      prefer: "respond-async, wait=30",
    });
    return `${response.status} ${await response.text()}`;
  };
  const commands = [{ command: "echo on" }];
  match(await endOf("ada", "exec-command", { commands }), /^200 .*"stdout":"on\\n"/);
  match(await endOf("ada", "bash-script", { script: "true" }), /^403 .*"NOT_ALLOWED"/);
  match(await endOf("bob", "exec-command", { commands }), /^403 .*knows no caller \\"bob\\"/);
});
