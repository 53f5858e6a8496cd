import { inTurns, median } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { SqliteJobStore } from "../jobs/sqlite/sqlite_store.ts";
import { newEnd, newJob } from "../testing/job_store_suite.ts";
import { createJobsApp, type JobsApp, untilEnd } from "../testing/jobs_app.ts";

const CHUNK_BYTES = 64 * 1024;
const ECHO = { tool: "report", args: { steps: 1 } };
const TRUE = { commands: [{ command: "true" }] };
/** How many jobs wait while short calls are measured. */
const QUEUED = 500;
const CALLS = 100;
const MANY_JOBS = 10_000;

/** Compares jobs with calls, and the store of jobs with a file. */
export async function benchJobs(): Promise<Row[]> {
  return [
    ...await benchAppend(),
    ...await benchStarts(),
    ...await benchQueue(),
    ...await benchManyJobs(),
  ];
}

async function benchAppend(): Promise<Row[]> {
  await using folder = await createTempFolder();
  const store = await SqliteJobStore.open(`${folder.path}/data`);
  const { id } = newJob();
  await store.create(newJob({ id, outputBytes: 16 * 1024 * 1024 }), 1_000);
  using file = await Deno.open(`${folder.path}/file`, { append: true, create: true });
  const bytes = new Uint8Array(CHUNK_BYTES).fill(0x61);
  let offset = 0;
  const append = async () => {
    await store.append(id, [{ stream: "stdout", offset, bytes }]);
    offset += bytes.length;
  };
  const [stored = NaN, plain = NaN] = await inTurns(
    [append, async () => void await file.write(bytes)],
    600,
  );
  await store.close();
  return [{
    what: "64 KiB of a job's output appended to the store / to a plain file",
    value: ms(stored),
    ratio: stored / plain,
  }];
}

async function benchStarts(): Promise<Row[]> {
  await using server = await createJobsApp();
  const whole = async () => {
    const { job } = await server.jobs.start(ECHO);
    await untilEnd(server.jobs, job.id);
  };
  const call = async () => void await server.call(ECHO.tool, ECHO.args);
  const [started = NaN, ended = NaN, called = NaN] = await inTurns([
    async () => void await server.jobs.start(ECHO),
    whole,
    call,
  ], 200);
  const startedAt = performance.now();
  const jobs = await Promise.all(Array.from({ length: 300 }, () => server.jobs.start(ECHO)));
  await Promise.all(jobs.map(({ job }) => untilEnd(server.jobs, job.id)));
  const perSecond = jobs.length / (performance.now() - startedAt) * 1_000;
  return [
    { what: "start of a job, until it is stored", value: ms(started) },
    {
      what: "job of a short tool, start to end / its call",
      value: ms(ended),
      ratio: ended / called,
    },
    { what: "jobs of a short tool", value: `${Math.round(perSecond)} /s` },
  ];
}

async function benchQueue(): Promise<Row[]> {
  await using idle = await createJobsApp();
  await using busy = await createJobsApp({ MCP_MAX_JOBS: "1000" });
  const sleep = { commands: [{ command: "sleep 300" }] };
  for (let at = 0; at < QUEUED; at++) {
    await busy.jobs.start({ tool: "exec-command", args: sleep });
  }
  const times = { idle: [] as number[], busy: [] as number[] };
  for (let at = 0; at < CALLS; at++) {
    times.idle.push(await timeOfCall(idle));
    times.busy.push(await timeOfCall(busy));
  }
  return [{
    what: `p95 of ${CALLS} calls of \`true\` beside ${QUEUED} jobs / on an idle server`,
    value: ms(p95(times.busy)),
    ratio: p95(times.busy) / p95(times.idle),
  }];
}

async function timeOfCall(server: JobsApp): Promise<number> {
  const startedAt = performance.now();
  await server.call("exec-command", TRUE);
  return performance.now() - startedAt;
}

async function benchManyJobs(): Promise<Row[]> {
  await using folder = await createTempFolder();
  const [few, many] = [`${folder.path}/few`, `${folder.path}/many`];
  await fill(few, 100);
  await fill(many, MANY_JOBS);
  const most = String(2 * MANY_JOBS);
  await using small = await createJobsApp({ MCP_DATA_DIR: few, MCP_MAX_JOBS: most });
  await using large = await createJobsApp({ MCP_DATA_DIR: many, MCP_MAX_JOBS: most });
  const list = ({ jobs }: JobsApp) => async () => void await jobs.list({ limit: 50 });
  const get = ({ jobs }: JobsApp, id: string) => async () => void await jobs.get(id);
  const start = ({ jobs }: JobsApp) => async () => void await jobs.start(ECHO);
  const [oneOfFew = "", oneOfMany = ""] = await Promise.all([small, large].map(oldest));
  const works = [list, start].flatMap((work) => [work(small), work(large)]);
  const gets = [get(small, oneOfFew), get(large, oneOfMany)];
  const [list1 = NaN, list2 = NaN, start1 = NaN, start2 = NaN, get1 = NaN, get2 = NaN] =
    await inTurns([...works, ...gets], 200);
  const row = (what: string, time: number, base: number): Row => ({
    what: `${what} with ${MANY_JOBS.toLocaleString("en")} finished jobs / with 100`,
    value: ms(time),
    ratio: time / base,
  });
  return [
    row("list of 50 jobs", list2, list1),
    row("one job", get2, get1),
    row("start of a job", start2, start1),
  ];
}

async function fill(folder: string, count: number): Promise<void> {
  const store = await SqliteJobStore.open(folder);
  for (let at = 0; at < count; at++) {
    const job = newJob();
    await store.create(job, count + 1);
    await store.append(job.id, [{ stream: "stdout", offset: 0, bytes: new Uint8Array(100) }]);
    await store.end(job.id, newEnd({ expiresAt: Date.now() + 3_600_000 }));
  }
  await store.close();
}

/** The last job of the list. */
async function oldest({ jobs }: JobsApp): Promise<string> {
  let page = await jobs.list({ limit: 1_000 });
  while (page.nextCursor !== undefined) {
    page = await jobs.list({ limit: 1_000, cursor: page.nextCursor });
  }
  return page.jobs.at(-1)?.id ?? "";
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? median(times);
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`;
}
