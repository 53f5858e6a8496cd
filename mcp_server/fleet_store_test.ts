import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "./access/caller.ts";
import pg from "pg";
import { isAway } from "./fleet/postgres_database.ts";
import { PostgresFleet } from "./fleet/postgres_fleet.ts";
import { type Answer, Peers } from "./servers/peers.ts";
import { within } from "./shared/concurrency.ts";
import { JobError } from "./tool/job.ts";
import { createJobsApp } from "./testing/jobs_app.ts";
import { LOST, newEnd, newJob } from "./testing/job_store_suite.ts";
import { startPostgres } from "./testing/postgres.ts";

const postgres = await startPostgres();
globalThis.addEventListener("unload", () => postgres.kill());

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A server without a program, that takes no jobs by itself. */
async function open(name: string, schema: string, runs = 0) {
  const identity = { name, labels: ["web"], version: "1.2.3", machine: name };
  const load = () => ({ runs, queue: 0 });
  const fleet = await PostgresFleet.open({ url: postgres.url(), schema }, { identity, load });
  return { fleet, [Symbol.asyncDispose]: () => fleet.close() };
}

Deno.test("a job that was taken is lost only if its server does not know it for 30 s", async () => {
  await using server = await open("web-1", "taken");
  const { fleet } = server;
  const [known, unknown] = [newJob(), newJob()];
  for (const job of [known, unknown]) {
    await fleet.dispatch(job, { route: "any", retries: 0, call: { args: {} } }, 10);
  }
  using _work = fleet.onWork(() => {});
  const taken = await fleet.take(10, () => newEnd());
  strictEqual(taken.length, 2);
  const statesAt = async (endedAt: number) => {
    await fleet.reclaim(new Set([known.id]), { ...LOST, endedAt });
    return await Promise.all([known, unknown].map(async ({ id }) => (await fleet.find(id))?.state));
  };
  for (const time of [1_000, 1_001, 30_999]) {
    deepStrictEqual(await statesAt(time), ["running", "running"]);
  }
  deepStrictEqual(await statesAt(31_000), ["running", "lost"]);
});

Deno.test("PostgreSQL is away if a connection breaks, whatever the system calls that", () => {
  const codes = {
    ...{ EPIPE: true, ECONNRESET: true, ECONNREFUSED: true, "57P01": true, "08006": true },
    ...{ "53300": true, "25006": true, "23505": false, "42P01": false, XX000: false },
  };
  const away = Object.keys(codes).map((code) => {
    const cause = Object.assign(new Error("no"), { code });
    return [code, isAway(new JobError("no", { code: "JOBS_UNAVAILABLE", cause }))];
  });
  deepStrictEqual(Object.fromEntries(away), codes);
});

Deno.test("jobs of one queue are taken before the next queue is asked, and none is left", async () => {
  await using server = await open("web-1", "queues");
  const { fleet } = server;
  const routes = ["name.web-1", "any", "any"];
  for (const route of routes) {
    await fleet.dispatch(newJob(), { route, retries: 0, call: { args: {} } }, 10);
  }
  const counts: number[] = [];
  for (let left = routes.length; left > 0; left -= counts.at(-1)!) {
    const { length } = await fleet.take(10, () => newEnd());
    ok(length > 0, `${left} are left`);
    counts.push(length);
  }
  deepStrictEqual(counts.toSorted(), [1, 2]);
});

/** What servers of a schema are notified of. */
async function hear(schema: string) {
  const client = new pg.Client(postgres.url());
  const heard: string[][] = [];
  let changed = Promise.withResolvers<void>();
  client.on("notification", ({ payload = "" }) => {
    heard.push(payload.split(" ").slice(1));
    changed.resolve();
    changed = Promise.withResolvers();
  });
  await client.connect();
  await client.query(`LISTEN "${schema}"`);
  return {
    /** Resolves with the first notice since the last call that is as asked for. */
    until: async (isFound: (notice: readonly string[]) => boolean): Promise<readonly string[]> => {
      for (;;) {
        for (let notice = heard.shift(); notice !== undefined; notice = heard.shift()) {
          if (isFound(notice)) return notice;
        }
        await changed.promise;
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

const isWork = ([notice]: readonly string[]) => notice === "work";

Deno.test("a job wakes two servers that may take it and have least to do, and all if none is known", async () => {
  await using notices = await hear("woken");
  await using busy = await open("web-1", "woken", 5);
  await using idle = await open("web-2", "woken");
  await using other = await open("web-3", "woken");
  await using draining = await open("web-4", "woken");
  const wokenBy = async (route: string) => {
    await busy.fleet.dispatch(newJob(), { route, retries: 0, call: { args: {} } }, 100);
    const [, subject, ids] = await notices.until(isWork);
    return [subject, ids?.split(",").toSorted()];
  };
  const all = [busy, idle, other, draining].map(({ fleet }) => fleet.server);
  // As their heartbeats say within seconds.
  await postgres.ask(`UPDATE woken.server SET runs = 5 WHERE id = '${busy.fleet.server}'`);
  draining.fleet.stopTaking();
  await postgres.until("SELECT count(*) FROM woken.server WHERE draining", "1");
  deepStrictEqual(await wokenBy("any"), ["any", [all[1], all[2]].toSorted()]);
  deepStrictEqual(await wokenBy("label.web"), ["label.web", [all[1], all[2]].toSorted()]);
  deepStrictEqual(await wokenBy("name.web-1"), ["name.web-1", [all[0]]]);
  for (const { fleet } of [busy, idle, other]) fleet.stopTaking();
  await postgres.until("SELECT count(*) FROM woken.server WHERE draining", "4");
  deepStrictEqual(await wokenBy("any"), ["any", undefined]);
});

Deno.test("a server that is woken and has no room wakes the others, once", async () => {
  await using notices = await hear("passed");
  await using server = await open("web-1", "passed");
  const { fleet } = server;
  const passed = notices.until((notice) => isWork(notice) && notice.length === 2);
  // It hears of a job once it listens, which it does soon after it was opened.
  for (let count = 0; !await within(passed, 50) && count < 1_000; count++) {
    await fleet.dispatch(newJob(), { route: "any", retries: 0, call: { args: {} } }, 1_000);
    await fleet.passOn();
  }
  deepStrictEqual(await passed, ["work", "any"]);
  await fleet.passOn();
  strictEqual(await within(notices.until(({ length }) => length === 2), 50), false);
  ok((await fleet.take(10, () => newEnd())).length > 0);
});

Deno.test("messages arrive in the order in which they were sent, whatever the order of their rows", async () => {
  await using sender = await open("web-1", "messages");
  await using receiver = await open("web-2", "messages");
  const arrived: string[] = [];
  const [begun, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  using _listener = receiver.fleet.onMessage((message) => {
    arrived.push(message);
    if (message === "begin") begun.resolve();
    if (message === "last") all.resolve();
  });
  await sender.fleet.post([receiver.fleet.server], "begin");
  await begun.promise;
  // The row of the next message takes the place of one that is gone, before those that are older.
  const insert = (text: string) =>
    `INSERT INTO messages.message (receiver, message) VALUES ('${receiver.fleet.server}', '${text}')`;
  await postgres.ask(`${insert("gone")}; ${insert("first")}; ${insert("second")}`);
  await postgres.ask("DELETE FROM messages.message WHERE message = 'gone'");
  await postgres.ask("VACUUM messages.message");
  await postgres.ask(insert("third"));
  await sender.fleet.post([receiver.fleet.server], "last");
  await all.promise;
  deepStrictEqual(
    arrived.filter((text) => text !== "gone"),
    ["begin", "first", "second", "third", "last"],
  );
});

Deno.test("a server gets the answers of a large fleet, and of another version, and no more questions than it takes", async () => {
  await using sender = await open("web-1", "answers");
  await using receiver = await open("web-2", "answers");
  const arrived: string[] = [];
  const next = (count: number) =>
    new Promise<void>((resolve) => {
      const listener = receiver.fleet.onMessage((message) => {
        if (arrived.push(message) !== count) return;
        listener[Symbol.dispose]();
        resolve();
      });
    });
  const answers = Array.from({ length: 150 }, (_, at) => `answer ${at}`);
  const all = next(150);
  for (const answer of answers) await sender.fleet.reply(receiver.fleet.server, answer);
  receiver.fleet.lookForMessages();
  await all;
  deepStrictEqual(arrived, answers);
  // A server that hangs.
  const gone = crypto.randomUUID();
  for (let at = 0; at < 110; at++) await sender.fleet.post([gone], "question");
  const waiting = `SELECT count(*) FROM answers.message WHERE receiver = '${gone}'`;
  strictEqual(await postgres.ask(waiting), "100");
  new Peers(sender.fleet, () => Promise.resolve("well"), SILENT);
  const answered = next(151);
  const question = { id: "q-1", from: receiver.fleet.server, about: "health", question: {} };
  await receiver.fleet.post([sender.fleet.server], JSON.stringify(question));
  await answered;
  deepStrictEqual(JSON.parse(arrived.at(-1) ?? ""), {
    id: "q-1",
    from: sender.fleet.server,
    answer: "well",
  });
});

Deno.test("a server of another version, whose answers are not understood, is unreachable", async () => {
  await using app = await createJobsApp({
    MCP_JOBS_URL: postgres.url(),
    MCP_JOBS_SCHEMA: "versions",
    MCP_NAME: "web-1",
  });
  await using other = await open("web-9", "versions");
  let stopped: unknown;
  let isAsked = false;
  const answer: Answer = (about) => {
    isAsked ||= about === "stop";
    return Promise.resolve(about === "find" ? { has: true } : stopped);
  };
  new Peers(other.fleet, answer, SILENT);
  /** A busy machine may need some attempts until the first question is answered in time. */
  const stop = async (answered: unknown) => {
    stopped = answered;
    isAsked = false;
    for (;;) {
      const verdict = await app.app.fleet.stop("a-call", { caller: DEFAULT_CALLER });
      if (isAsked) return verdict;
    }
  };
  const call = {
    ...{ server: "web-9", id: "a-call", tool: "echo", caller: "ada", transport: "http" },
    ...{ startedAt: new Date(0).toISOString(), elapsedMs: 5, stopping: false },
  };
  for (const strange of [{ call: { ...call, elapsedMs: "5" } }, { call: "a-call" }, "stopped"]) {
    deepStrictEqual(await stop(strange), { kind: "unknown", unreachable: ["web-9"] });
  }
  const known = { call: { ...call, more: "than is known" } };
  deepStrictEqual(await stop(known), { kind: "stopped", ...known });
});
