import { PgBoss } from "pg-boss";
import { inTurns, median } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { createFleet, type Fleet } from "../testing/fleet.ts";
import { createJobsApp, untilEnd } from "../testing/jobs_app.ts";
import { type Postgres, startPostgres } from "../testing/postgres.ts";
import type { JobsServer } from "../testing/jobs_server.ts";

const ECHO = { tool: "report", args: { steps: 1 } };
const STARTS = 100;
/** How many jobs are started to measure how many end in a second, and by how many clients. */
const JOBS = 300;
const CLIENTS = 16;
const WORKERS = [1, 2, 4];
const LINES = 60;

/** Measures jobs of servers that share them in PostgreSQL, beside pg-boss alone. */
export async function benchFleet(): Promise<Row[]> {
  await using postgres = await startPostgres();
  const [fleet = NaN, boss = NaN] = await startsOf(postgres);
  const rates: Row[] = [];
  for (const workers of WORKERS) {
    const rate = await rateOf(postgres, workers);
    rates.push({
      what: `jobs of a short tool, ${workers} servers`,
      value: `${rate.toFixed(0)} /s`,
    });
  }
  return [
    {
      what: "a job of the fleet, sent until another server sees it run / pg-boss alone, p50",
      value: ms(fleet),
      ratio: fleet / boss,
      target: "<= 3",
    },
    ...rates,
    {
      what: "a line of output, written until it is an event of another server, p50",
      value: ms(await eventDelay(postgres)),
    },
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

/** How many jobs a second a number of servers carries out, all started through the first one. */
async function rateOf(postgres: Postgres, workers: number): Promise<number> {
  await using fleet = await createFleet(postgres);
  const front = await joinAll(fleet, workers);
  const startedAt = performance.now();
  const numbers = Array.from({ length: JOBS }, (_, at) => at).values();
  const ids: string[] = [];
  const startSome = async () => {
    for (const _number of numbers) ids.push((await (await front.start(ECHO)).json()).id);
  };
  await Promise.all(Array.from({ length: CLIENTS }, startSome));
  for (const id of ids) await front.ended(id);
  return JOBS / (performance.now() - startedAt) * 1_000;
}

async function joinAll(fleet: Fleet, workers: number): Promise<JobsServer> {
  const env = { MCP_MAX_JOBS: String(2 * JOBS) };
  const front = await fleet.join("worker-1", env);
  for (let at = 2; at <= workers; at++) await fleet.join(`worker-${at}`, env);
  return front;
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
