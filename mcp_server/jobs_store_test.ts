import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createTempFolder, mountTmpfs } from "../test_support/temp_folder.ts";
import { ConfigError } from "./settings/config.ts";
import { JobError } from "./tool/job.ts";
import type { JobService } from "./tool/job_service.ts";
import { SqliteJobStore } from "./jobs/sqlite/sqlite_store.ts";
import { newJob } from "./testing/job_store_suite.ts";
import {
  createJobsApp,
  readWhole,
  untilEnd,
  untilOutput,
  untilRunning,
} from "./testing/jobs_app.ts";
import { needsRoot } from "./testing/needs_root.ts";
import { processesWith, uniqueSleep } from "./testing/processes.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("two servers on one folder see each other's jobs, write to them and cancel them", async () => {
  await using first = await createJobsApp();
  await using second = await createJobsApp({ MCP_DATA_DIR: first.folder });
  const sleep = uniqueSleep();
  const job = await first.sh(`echo on; read line; echo "got $line"; sleep ${sleep}`, {
    stdin: true,
  });
  await untilOutput(second.jobs, job.id, "on");
  strictEqual((await second.jobs.get(job.id)).state, "running");
  await second.jobs.writeStdin(job.id, encode("a line\n"));
  await untilOutput(second.jobs, job.id, "got a line");
  const { state } = await second.jobs.cancel(job.id);
  strictEqual(state, "running");
  strictEqual((await untilEnd(second.jobs, job.id)).state, "cancelled");
  deepStrictEqual(await processesWith(sleep), []);
  await second.jobs.delete(job.id);
  await rejects(first.jobs.get(job.id), { code: "JOB_NOT_FOUND" });
});

Deno.test("input by another server waits until the command reads it, and none is lost", async () => {
  await using first = await createJobsApp();
  await using second = await createJobsApp({ MCP_DATA_DIR: first.folder });
  const gate = `${first.folder}/gate`;
  await new Deno.Command("mkfifo", { args: [gate] }).output();
  const job = await first.sh(`echo on; cat ${gate}; cksum`, { stdin: true });
  await untilOutput(second.jobs, job.id, "on");
  const texts = ["a", "b", "c"].map((letter) => `${letter.repeat(700_000)}\n`);
  for (const text of texts) await writeWithRoom(second.jobs, job.id, encode(text));
  await rejects(second.jobs.writeStdin(job.id, encode(texts[0] ?? "")), { code: "BUSY" });
  await Deno.writeTextFile(gate, "");
  await second.jobs.endStdin(job.id);
  strictEqual((await untilEnd(second.jobs, job.id)).state, "completed");
  const expected = await first.call("exec-command", {
    commands: [{
      command:
        "for letter in a b c; do head -c 700000 /dev/zero | tr '\\0' $letter; echo; done | cksum",
    }],
  });
  const { results } = JSON.parse(JSON.stringify(expected)).result.structuredContent;
  strictEqual(decode(await readWhole(first.jobs, job.id)), `on\n${results[0].stdout}`);
});

/** Writes to a job as soon as there is room for it. */
async function writeWithRoom(jobs: JobService, id: string, bytes: Uint8Array): Promise<void> {
  const end = performance.now() + 20_000;
  for (;;) {
    try {
      return await jobs.writeStdin(id, bytes);
    } catch (error) {
      const isBusy = error instanceof JobError && error.code === "BUSY";
      if (!isBusy || performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

Deno.test("a server that stops leaves the jobs of others alone", async () => {
  await using first = await createJobsApp();
  const job = await first.sh("echo on; read line; echo $line", { stdin: true });
  const second = await createJobsApp({ MCP_DATA_DIR: first.folder });
  await untilOutput(second.jobs, job.id, "on");
  await second[Symbol.asyncDispose]();
  await first.jobs.writeStdin(job.id, encode("still there\n"));
  strictEqual((await untilEnd(first.jobs, job.id)).state, "completed");
  strictEqual(decode(await readWhole(first.jobs, job.id)), "on\nstill there\n");
});

Deno.test("without a usable folder, calls are served, and jobs are rejected with the reason", async () => {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${folder.path}/trestle`, "");
  await using server = await createJobsApp({ MCP_DATA_DIR: "", XDG_STATE_HOME: folder.path });
  strictEqual((await server.call("report", { steps: 1 })).ok, true);
  await rejects(server.sh("true"), { code: "JOBS_UNAVAILABLE", message: /^Cannot keep jobs in/ });
  await rejects(server.jobs.list(), { code: "JOBS_UNAVAILABLE" });
  match(await server.app.checkJobs() ?? "", /^Cannot keep jobs in/);
  await Deno.remove(`${folder.path}/trestle`);
  const job = await server.sh("true");
  strictEqual(
    (await untilEnd(server.jobs, job.id)).state,
    "completed",
    "the folder is tried again",
  );
  strictEqual(await server.app.checkJobs(), undefined);
});

Deno.test("a store in which jobs can't be recovered is closed again, each time", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/trestle`;
  const former = await SqliteJobStore.open(path);
  await former.create(newJob(), 10);
  await former.close();
  const database = new DatabaseSync(`${path}/jobs.db`);
  database.exec("CREATE TRIGGER refuse BEFORE UPDATE ON job BEGIN SELECT RAISE(ABORT, 'no'); END");
  database.close();
  const server = await createJobsApp({ MCP_DATA_DIR: "", XDG_STATE_HOME: folder.path });
  await rejects(server.sh("true"), { code: "JOBS_UNAVAILABLE" });
  await rejects(server.jobs.list(), { code: "JOBS_UNAVAILABLE" });
  await server[Symbol.asyncDispose]();
  const files = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
  deepStrictEqual(files.filter((name) => name.endsWith(".lock")), [`jobs-${former.server}.lock`]);
});

Deno.test("without its folder, which was removed, jobs are rejected with what the system said", async () => {
  await using server = await createJobsApp();
  await untilEnd(server.jobs, (await server.sh("true")).id);
  await Deno.remove(server.folder, { recursive: true });
  await rejects(server.sh("true"), {
    code: "JOBS_UNAVAILABLE",
    message: /^Cannot keep jobs in "[^"]+": No such file.+; its folder is gone: restart the server/,
  });
  strictEqual((await server.call("report", { steps: 1 })).ok, true);
});

Deno.test("without a home folder, only jobs are rejected", async () => {
  await using server = await createJobsApp({ MCP_DATA_DIR: "" });
  await rejects(server.sh("true"), { code: "JOBS_UNAVAILABLE", message: /set MCP_DATA_DIR$/ });
  strictEqual((await server.call("report", { steps: 1 })).ok, true);
});

Deno.test("a folder that the operator has set must be usable", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  await Deno.writeTextFile(path, "");
  await rejects(createJobsApp({ MCP_DATA_DIR: path }), (error) => {
    return error instanceof ConfigError &&
      error.message.startsWith(`Cannot use MCP_DATA_DIR "${path}"`);
  });
});

Deno.test(
  ...needsRoot("a full disk fails the job with the code, and the server survives"),
  async () => {
    await using disk = await mountTmpfs("size=24m");
    await using server = await createJobsApp({ MCP_DATA_DIR: `${disk.path}/data` });
    const before = await server.sh("echo before");
    await untilEnd(server.jobs, before.id);
    const sleep = uniqueSleep();
    const flood = await server.sh(`sleep ${sleep} & head -c 50000000 /dev/zero; sleep ${sleep}`);
    const { state, error } = await untilEnd(server.jobs, flood.id);
    deepStrictEqual([state, error?.code], ["failed", "STORAGE_FULL"]);
    deepStrictEqual(await processesWith(sleep), []);
    strictEqual(decode(await readWhole(server.jobs, before.id)), "before\n");
    const kept = await server.jobs.get(flood.id);
    const whole = await readWhole(server.jobs, flood.id);
    strictEqual(whole.length, kept.output.stdout.end);
    ok(whole.every((byte) => byte === 0));
    strictEqual((await server.call("report", { steps: 1 })).ok, true);
    await server.jobs.delete(flood.id);
    const after = await server.sh("echo after");
    strictEqual((await untilEnd(server.jobs, after.id)).state, "completed");
  },
);

Deno.test("jobs.db is not a database of sql-query", async () => {
  await using server = await createJobsApp();
  await untilRunning(server.jobs, (await server.sh("true")).id);
  const batches = [{ database: "jobs", queries: ["SELECT * FROM job"] }];
  const outcome = await server.call("sql-query", { batches });
  match(JSON.stringify(outcome), /UNKNOWN_DATABASE/);
});
