import { setTimeout as delay } from "node:timers/promises";
import { uniqueSleep } from "../../../testing/processes.ts";
import type { Contender, Group } from "../servers/contender.ts";
import { killAll, sleepsOf } from "./processes.ts";
import { type Session, startSession } from "../session.ts";

/** Commands that run for five minutes, each in its own way. */
export const SHAPES: Readonly<Record<string, (seconds: string) => string>> = {
  plain: (seconds) => `sleep ${seconds}`,
  "child of a shell": (seconds) => `sh -c 'sleep ${seconds}; true'; true`,
  background: (seconds) => `sleep ${seconds} & wait`,
  setsid: (seconds) => `setsid sleep ${seconds} & wait`,
  "ignores SIGTERM": (seconds) => `trap '' TERM INT HUP; sleep ${seconds}; true`,
};

/** What ends a command. */
export const ENDS = ["cancel", "close", "own"] as const;

/** What ends a command: the client cancels, the client closes, or the server does by itself. */
export type End = typeof ENDS[number];

/** For each end, the shapes of which a process was left; `undefined` if there is no such end. */
export type Stops = Readonly<Record<End, readonly string[] | undefined>>;

/** Longest time until all commands run, while many servers start at the same time. */
const STARTED_WITHIN_MS = 45_000;
/** Longest time for a server to end calls by itself. */
const OWN_MS = 15_000;
/** How long a process may outlive what should have ended it. */
export const GRACE_MS = 5_000;

/** Ends commands of all shapes in all ways, on all servers of a group at the same time. */
export async function measureStops({ contenders }: Group): Promise<Stops[]> {
  return await Promise.all(contenders.map(async (contender) => {
    const [cancel, close, own] = await Promise.all(ENDS.map((end) => stop(contender, end)));
    return { cancel, close, own };
  }));
}

async function stop(contender: Contender, end: End): Promise<readonly string[] | undefined> {
  if (end === "own" && contender.ownStop === undefined) return undefined;
  const program = end === "own" ? contender.ownStop?.program : undefined;
  await using session = await startSession(program ?? contender.program);
  const sleeps = Object.entries(SHAPES).map(([shape, command]) => {
    const seconds = uniqueSleep();
    return { shape, seconds, command: command(seconds) };
  });
  const canceller = new AbortController();
  const calls = sleeps.map(async ({ command }) => {
    if (end === "own") return await contender.ownStop?.run(session, command);
    await session.call(contender.call(command), { signal: canceller.signal });
  });
  await Promise.all(sleeps.map(({ seconds }) => started(seconds)));
  await endAll(session, end, { calls, canceller });
  await delay(GRACE_MS);
  const left = sleeps.filter(({ seconds }) => sleepsOf(seconds).length > 0);
  killAll(left.flatMap(({ seconds }) => sleepsOf(seconds)));
  return left.map(({ shape }) => shape);
}

async function endAll(
  session: Session,
  end: End,
  { calls, canceller }: { calls: Promise<void>[]; canceller: AbortController },
): Promise<void> {
  if (end === "cancel") canceller.abort();
  else if (end === "close") await session.close();
  // A server that does not keep its own time-out is measured as well.
  else await Promise.race([Promise.all(calls), delay(OWN_MS)]);
}

async function started(seconds: string): Promise<void> {
  const deadline = performance.now() + STARTED_WITHIN_MS;
  while (sleepsOf(seconds).length === 0) {
    if (performance.now() > deadline) {
      throw new Error(`Cannot see "sleep ${seconds}": none started`);
    }
    await delay(100);
  }
}
