import { setTimeout as delay } from "node:timers/promises";
import { inTurns, median } from "../../../../test_support/bench/in_turns.ts";
import type { Contender, Group } from "../servers/contender.ts";
import { memoryOf } from "./processes.ts";
import { type Session, startSession } from "../session.ts";

/** What a server costs in everyday use. */
export interface Everyday {
  readonly startMs: number;
  readonly listBytes: number;
  readonly tools: number;
  readonly withAllHints: number;
  readonly withOutputSchema: number;
  /** Median time of the smallest piece of work, in milliseconds. */
  readonly callMs: number;
  /** MiB after the start, and after some calls. */
  readonly idle: number;
  readonly after: number;
  /** How many: about 1,000, or fewer if they take too long. */
  readonly calls: number;
  /** How many of the answers lacked the output. */
  readonly incomplete: number;
}

/** How often each server is started. */
const STARTS = 3;
/** Bounds of the rounds in which each server answers one call, and the time that they may take. */
const [FEWEST_ROUNDS, MOST_ROUNDS, ROUNDS_MS] = [20, 300, 6_000];
const WARM_UP_ROUNDS = 5;
/** How long servers rest after the start, before their memory is read. */
const IDLE_MS = 1_000;
/** How many calls precede the second look at the memory, how long they may take, and at once. */
const [CALLS, CALLS_MS, AT_ONCE] = [1_000, 8_000, 4];
/** The hints of a tool, whatever their values. */
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** Measures the servers of a group side by side. */
export async function measureEveryday(group: Group): Promise<Everyday[]> {
  const { contenders } = group;
  const starts = await startInTurns(contenders);
  await using stack = new AsyncDisposableStack();
  const counted: CountedCalls[] = [];
  for (const contender of contenders) {
    const session = stack.use(await startSession(contender.program));
    counted.push(new CountedCalls(group, contender, session));
  }
  await delay(IDLE_MS);
  const idle = counted.map(({ session }) => memoryOf(session.pid).now);
  const works = counted.map((one) => () => one.work());
  const times = await inTurns(works, await roundsFor(works));
  for (const one of counted) await callOften(one);
  return counted.map(({ session: { pid, listed }, calls, incomplete }, at) => ({
    ...aboutList(listed),
    startMs: starts[at] ?? NaN,
    callMs: times[at] ?? NaN,
    idle: idle[at] ?? NaN,
    after: memoryOf(pid).now,
    calls,
    incomplete,
  }));
}

/** Calls one server, and counts. */
class CountedCalls {
  calls = 0;
  /** Answers, not errors, that lack what was asked for. */
  incomplete = 0;

  constructor(
    readonly group: Group,
    readonly contender: Contender,
    readonly session: Session,
  ) {}

  /** Lets the server do the smallest piece of work; rejects if it reports an error. */
  async work(): Promise<void> {
    const { group: { trivial, expected }, contender: { name, call }, session } = this;
    const { isError, text } = await session.call(call(trivial));
    if (isError) throw new Error(`Cannot measure "${name}": it answered ${text}`);
    this.calls++;
    if (!text.includes(expected)) this.incomplete++;
  }
}

function aboutList({ bytes, tools }: Session["listed"]) {
  return {
    listBytes: bytes,
    tools: tools.length,
    withAllHints:
      tools.filter(({ annotations = {} }) => HINTS.every((hint) => annotations[hint] !== undefined))
        .length,
    withOutputSchema: tools.filter(({ outputSchema }) => outputSchema !== undefined).length,
  };
}

/** How many rounds fit into their time, after a few that warm the servers up. */
async function roundsFor(works: readonly (() => Promise<void>)[]): Promise<number> {
  const times = await inTurns(works, WARM_UP_ROUNDS);
  const roundMs = times.reduce((sum, ms) => sum + ms, 0);
  return Math.round(Math.min(Math.max(ROUNDS_MS / roundMs, FEWEST_ROUNDS), MOST_ROUNDS));
}

/** Calls a server until it has answered `CALLS` times, or the time is over. */
async function callOften(one: CountedCalls): Promise<void> {
  const until = performance.now() + CALLS_MS;
  const caller = async () => {
    while (one.calls < CALLS && performance.now() < until) await one.work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
}

/** The median time from the start of each server to its list of tools. */
async function startInTurns(contenders: readonly Contender[]): Promise<number[]> {
  const times = contenders.map((): number[] => []);
  for (let round = 0; round < STARTS; round++) {
    for (const [at, { program }] of contenders.entries()) {
      await using session = await startSession(program);
      times[at]?.push(session.listed.startMs);
    }
  }
  return times.map(median);
}
