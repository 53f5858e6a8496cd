import { median } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { PostgresFleet } from "../fleet/postgres_fleet.ts";
import { Peers } from "../servers/peers.ts";
import type { Log } from "../shared/log.ts";
import { newEnd, newJob } from "../testing/job_store_suite.ts";
import { type Postgres, startPostgres } from "../testing/postgres.ts";

const SERVERS = 200;
/** How many join at once: each needs a connection for that. */
const AT_ONCE = 10;
const SENT = 40;
const JOBS = 100;
const SENDERS = 8;
const ASKED = 10;
/** How long the servers are watched while they have nothing to do. */
const IDLE_MS = 20_000;
const MOST_JOBS = 1_000_000;
const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Simulates a fleet of 200 servers on one PostgreSQL: each has its lease, its connections, its queues and
 * its messages, takes jobs and ends them, and runs no commands.
 */
export async function benchManyServers(): Promise<Row[]> {
  await using postgres = await startPostgres(2_000);
  const startedAt = performance.now();
  const servers = await joinAll(postgres);
  const joined = performance.now() - startedAt;
  const [first, last] = [servers[0]!, servers.at(-1)!];
  const idle = await commitsOf(postgres);
  const asked = await answersOf(first.peers);
  const alone = first.fleet;
  const named = await startsOf(alone, `name.${last.name}`);
  const any = await startsOf(alone, "any");
  const rate = await rateOf(alone);
  const connections = await postgres.ask("SELECT count(*) FROM pg_stat_activity");
  await Promise.allSettled(servers.map(({ fleet }) => fleet.close()));
  const of = `${SERVERS} servers`;
  return [
    { what: `${of}: all have joined`, value: `${(joined / 1_000).toFixed(1)} s` },
    { what: `${of} with nothing to do: transactions a second`, value: idle.toFixed(0) },
    { what: `${of}: connections after the load`, value: connections },
    {
      what: `${of}: a job for one of them, sent until the sender sees it run, p50`,
      value: ms(named),
    },
    {
      what: `${of}: a job for any of them, sent until the sender sees it run, p50`,
      value: ms(any),
    },
    { what: `${of}: jobs for any of them that end in a second`, value: `${rate.toFixed(0)} /s` },
    { what: `${of}: all asked from one, until all have answered, p50`, value: asked },
  ];
}

/** One of the servers. */
interface LightServer {
  readonly name: string;
  readonly fleet: PostgresFleet;
  readonly peers: Peers;
}

async function joinAll({ url }: Postgres): Promise<LightServer[]> {
  const servers: LightServer[] = [];
  const numbers = Array.from({ length: SERVERS }, (_, number) => number).values();
  const joinSome = async () => {
    for (const number of numbers) {
      const name = `web-${number}`;
      const identity = { name, labels: ["web"], version: "1.2.3", machine: name };
      const fleet = await PostgresFleet.open({ url: url(), schema: "many" }, {
        identity,
        load: () => ({ runs: 0, queue: 0 }),
      });
      takeAll(fleet);
      const peers = new Peers(fleet, () => Promise.resolve({ server: name }), SILENT);
      servers.push({ name, fleet, peers });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, joinSome));
  return servers;
}

/** Takes jobs as long as there are some, one after another, and ends each at once; waits if it can't. */
function takeAll(fleet: PostgresFleet): void {
  let isTaking = false;
  let isMore = false;
  const take = async () => {
    isMore = true;
    if (isTaking) return;
    isTaking = true;
    while (isMore) {
      isMore = false;
      try {
        const taken = await fleet.take(1, () => newEnd({ state: "failed" }));
        if (taken.length > 0) isMore = true;
        for (const { job } of taken) await fleet.end(job.id, newEnd());
      } catch {
        // PostgreSQL did not answer in time; the fleet reports work again.
      }
    }
    isTaking = false;
  };
  fleet.onWork(() => void take());
}

/** Transactions that PostgreSQL commits in a second. */
async function commitsOf({ ask }: Postgres): Promise<number> {
  const count = async () =>
    Number(await ask("SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"));
  const before = await count();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return (await count() - before) / IDLE_MS * 1_000;
}

async function send(fleet: PostgresFleet, route: string): Promise<string> {
  const job = newJob();
  await fleet.dispatch(job, { route, retries: 0, call: { args: {} } }, MOST_JOBS);
  return job.id;
}

/** Waits until a job that was sent is in another state than `queued`, or has ended. */
async function leaves(fleet: PostgresFleet, id: string, isWhole = false): Promise<void> {
  for (;;) {
    const changed = Promise.withResolvers<void>();
    using _listener = fleet.onChange((one) => {
      if (one === undefined || one === id) changed.resolve();
    });
    const job = await fleet.find(id);
    if (isWhole ? job?.endedAt !== undefined : job?.state !== "queued") return;
    await changed.promise;
  }
}

async function startsOf(fleet: PostgresFleet, route: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < SENT; at++) {
    const sentAt = performance.now();
    const id = await send(fleet, route);
    await leaves(fleet, id);
    times.push(performance.now() - sentAt);
    await leaves(fleet, id, true);
  }
  return median(times);
}

async function rateOf(fleet: PostgresFleet): Promise<number> {
  const startedAt = performance.now();
  const numbers = Array.from({ length: JOBS }, (_, at) => at).values();
  const sendSome = async () => {
    for (const _number of numbers) await leaves(fleet, await send(fleet, "any"), true);
  };
  await Promise.all(Array.from({ length: SENDERS }, sendSome));
  return JOBS / (performance.now() - startedAt) * 1_000;
}

async function answersOf(peers: Peers): Promise<string> {
  const times: number[] = [];
  let silent = 0;
  for (let at = 0; at < ASKED; at++) {
    const askedAt = performance.now();
    const found = await peers.ask("health", {}, { peers: await peers.all() });
    times.push(performance.now() - askedAt);
    silent += found.silent.length;
  }
  return `${ms(median(times))}, ${silent} of ${ASKED * (SERVERS - 1)} not in time`;
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}
