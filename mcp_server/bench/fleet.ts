import { PgBoss } from "pg-boss";
import { inTurns, median } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { createFleet, type Fleet } from "../testing/fleet.ts";
import { createJobsApp, untilEnd } from "../testing/jobs_app.ts";
import { type Postgres, startPostgres } from "../testing/postgres.ts";
import type { JobsServer } from "../testing/jobs_server.ts";
import { processorMs } from "./processor_time.ts";

const ECHO = { tool: "report", args: { steps: 1 } };
const STARTS = 100;
/** How many jobs are started to measure how many end in a second, and by how many clients. */
const JOBS = 300;
const CLIENTS = 16;
const WORKERS = [1, 2, 4];
/** How many jobs pg-boss takes at once: more than one, or it waits for its next look after each. */
const BATCHES = { few: 2, many: 20 };
/** As long as batches are full, pg-boss takes the next one at once. */
const BUSY = {
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 0.5,
};
const LINES = 60;

/** Measures jobs of servers that share them in PostgreSQL, beside pg-boss alone. */
export async function benchFleet(): Promise<Row[]> {
  await using postgres = await startPostgres();
  const [fleet = NaN, boss = NaN] = await startsOf(postgres);
  const rates: (readonly [fleet: Rate, few: Rate, many: Rate])[] = [];
  for (const workers of WORKERS) {
    rates.push([
      await rateOf(postgres, workers),
      await rateOfBoss(postgres, workers, BATCHES.few),
      await rateOfBoss(postgres, workers, BATCHES.many),
    ]);
  }
  return [
    {
      what: "a job of the fleet, sent until another server sees it run / pg-boss alone, p50",
      value: ms(fleet),
      ratio: fleet / boss,
      target: "<= 3",
    },
    ...toRows(rates),
    {
      what: "a line of output, written until it is an event of another server, p50",
      value: ms(await eventDelay(postgres)),
    },
  ];
}

/** A row for each row of the table in docs/figures.md, with a value for each number of servers. */
function toRows(rates: readonly (readonly [fleet: Rate, few: Rate, many: Rate])[]): Row[] {
  const list = (text: (all: readonly [fleet: Rate, few: Rate, many: Rate]) => string) =>
    rates.map(text).join(", ");
  const perSecond = ({ rate }: Rate) => `${rate.toFixed(0)} /s`;
  const servers = `${WORKERS.join(", ")} servers`;
  const database = "the same, processor time of PostgreSQL for each";
  const alone = (batch: number) =>
    `jobs a second of pg-boss alone, as many workers, batches of ${batch}`;
  return [
    { what: `short jobs a second, ${servers}`, value: list(([fleet]) => perSecond(fleet)) },
    { what: database, value: list(([fleet]) => ms(fleet.database)) },
    {
      what: "the same, processor time of the servers for each",
      value: list(([fleet]) => ms(fleet.servers)),
    },
    { what: alone(BATCHES.few), value: list(([, few]) => perSecond(few)) },
    { what: database, value: list(([, few]) => ms(few.database)) },
    { what: alone(BATCHES.many), value: list(([, , many]) => perSecond(many)) },
    { what: database, value: list(([, , many]) => ms(many.database)) },
  ];
}

/** Opens pg-boss itself, woken by a notification as the servers are; a sender and a worker. */
async function openBoss({ url }: Postgres, onWork: () => void) {
  const options = { connectionString: url(), schema: "alone", useListenNotify: true };
  const [sender, worker] = [new PgBoss(options), new PgBoss(options)];
  for (const boss of [sender, worker]) await boss.start();
  await sender.createQueue("work", { notify: true });
  await worker.work("work", { pollingIntervalSeconds: 2 }, () => Promise.resolve(onWork()));
  return {
    send: () => sender.send("work", {}),
    stop: async () => {
      for (const boss of [sender, worker]) await boss.stop({ graceful: false });
    },
  };
}

/** The times from sending to work, in turns: of the fleet, and of pg-boss alone. */
async function startsOf(postgres: Postgres): Promise<number[]> {
  let arrived = Promise.withResolvers<void>();
  const boss = await openBoss(postgres, () => arrived.resolve());
  const env = { MCP_JOBS_URL: postgres.url(), MCP_JOBS_SCHEMA: "bench" };
  await using front = await createJobsApp({ ...env, MCP_NAME: "front" });
  await using _worker = await createJobsApp({ ...env, MCP_NAME: "worker" });
  const times = await inTurns([
    async () => {
      const sentAt = performance.now();
      const { job } = await front.jobs.start({ ...ECHO, on: "name:worker" });
      await front.jobs.wait(job.id, { timeoutMs: 10_000, since: "queued" });
      const time = performance.now() - sentAt;
      await untilEnd(front.jobs, job.id);
      return time;
    },
    async () => {
      arrived = Promise.withResolvers();
      await boss.send();
      await arrived.promise;
    },
  ], STARTS);
  await boss.stop();
  return times;
}

/** How many jobs a second end, and the processor time that one takes, in milliseconds. */
interface Rate {
  readonly rate: number;
  readonly database: number;
  /** Of the servers; 0 if they are this process. */
  readonly servers: number;
}

/** Measures some work that carries out `JOBS` jobs. */
async function measure(
  { ask }: Postgres,
  servers: readonly number[],
  work: () => Promise<void>,
): Promise<Rate> {
  const backends = async () => {
    const pids = await ask("SELECT string_agg(pid::text, ' ') FROM pg_stat_activity");
    return new Map(pids.split(" ").map((pid) => [pid, timeOf(Number(pid))]));
  };
  const timeOfServers = () => servers.reduce((sum, pid) => sum + timeOf(pid), 0);
  const [before, serversBefore] = [await backends(), timeOfServers()];
  const startedAt = performance.now();
  await work();
  const took = performance.now() - startedAt;
  const servedMs = timeOfServers() - serversBefore;
  let databaseMs = 0;
  for (const [pid, time] of await backends()) databaseMs += time - (before.get(pid) ?? 0);
  return { rate: JOBS / took * 1_000, database: databaseMs / JOBS, servers: servedMs / JOBS };
}

/** A process that has ended took nothing. */
function timeOf(pid: number): number {
  try {
    return processorMs(pid);
  } catch {
    return 0;
  }
}

/** Lets some clients do something as often as there are jobs. */
async function forAllJobs(start: () => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: JOBS }, (_, at) => at).values();
  const startSome = async () => {
    for (const _number of numbers) await start();
  };
  await Promise.all(Array.from({ length: CLIENTS }, startSome));
}

/** How many jobs a second a number of servers carries out, all started through the first one. */
async function rateOf(postgres: Postgres, workers: number): Promise<Rate> {
  await using fleet = await createFleet(postgres);
  const servers = await joinAll(fleet, workers);
  const [front] = servers;
  const pids = servers.map(({ server }) => server.process.pid);
  return await measure(postgres, pids, async () => {
    const ids: string[] = [];
    await forAllJobs(async () => void ids.push((await (await front!.start(ECHO)).json()).id));
    for (const id of ids) await front!.ended(id);
  });
}

/** The same for workers of pg-boss that do nothing, each of which takes a number of jobs at once. */
async function rateOfBoss(postgres: Postgres, workers: number, batchSize: number): Promise<Rate> {
  const schema = `boss_${workers}_${batchSize}`;
  const options = { connectionString: postgres.url(), schema, useListenNotify: true, max: 6 };
  const bosses = Array.from({ length: workers + 1 }, () => new PgBoss(options));
  for (const boss of bosses) await boss.start();
  const [sender, ...others] = bosses;
  await sender!.createQueue("work", { notify: true });
  let left = JOBS;
  const all = Promise.withResolvers<void>();
  for (const boss of others) {
    await boss.work("work", { ...BUSY, batchSize }, (jobs) => {
      left -= jobs.length;
      if (left === 0) all.resolve();
      return Promise.resolve();
    });
  }
  const rate = await measure(postgres, [], async () => {
    await forAllJobs(async () => void await sender!.send("work", {}));
    await all.promise;
  });
  for (const boss of bosses) await boss.stop({ graceful: false });
  return rate;
}

async function joinAll(fleet: Fleet, workers: number): Promise<JobsServer[]> {
  const env = { MCP_MAX_JOBS: String(2 * JOBS) };
  const servers: JobsServer[] = [];
  for (let at = 1; at <= workers; at++) servers.push(await fleet.join(`worker-${at}`, env));
  return servers;
}

/** The command prints the time at which it wrote each line. */
async function eventDelay({ url }: Postgres): Promise<number> {
  const env = { MCP_JOBS_URL: url(), MCP_JOBS_SCHEMA: "events" };
  await using front = await createJobsApp({ ...env, MCP_NAME: "front" });
  await using _worker = await createJobsApp({ ...env, MCP_NAME: "worker" });
  const command = `for i in $(seq ${LINES}); do date +%s%3N; read -t 0.13 <> <(:); done`;
  const { job } = await front.jobs.start({
    tool: "exec-command",
    args: { commands: [{ command }] },
    on: "name:worker",
  });
  const delays: number[] = [];
  const signal = AbortSignal.timeout(60_000);
  for await (const event of front.jobs.watch(job.id, { signal })) {
    if (event.type !== "stdout") continue;
    const [line = ""] = new TextDecoder().decode(event.bytes).split("\n");
    delays.push(Date.now() - Number(line));
  }
  return median(delays);
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`;
}
