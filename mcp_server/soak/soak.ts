import { startServer } from "../testing/server_process.ts";
import { findByMark, kill } from "../testing/test_runner.ts";
import { type CallMaker, callMakers, prepareFiles } from "./calls.ts";
import { createRandom, type Random } from "./random.ts";
import type { SoakFigures } from "./report.ts";
import { memorySlope, watchServer } from "./server_watch.ts";
import { type Services, startServices } from "./services.ts";
import { openWays, type Way } from "./ways.ts";

/** How long the traffic lasts, and what it is made of. */
export interface SoakOptions {
  readonly ms: number;
  readonly seed: number;
  /** Concurrent calls. @default {6} */
  readonly parallel?: number;
  /** Further kinds of calls. @default {none} */
  readonly further?: readonly CallMaker[];
  /** How long processes and temporary files may outlive the traffic, in ms. @default {15_000} */
  readonly settleMs?: number;
}

/** The outcomes of the calls. */
interface Tally {
  calls: number;
  answered: number;
  cancelled: number;
  readonly wrong: string[];
}

/** The number of calls from one cancellation to the next, and from one reconnection to the next. */
const CANCEL_ONE_OF = 6;
const RECONNECT_ONE_OF = 40;
const LONGEST_BEFORE_CANCEL_MS = 400;
const UNHANDLED = /"(unhandled rejection|uncaught error)"/;
/** How long a call that is not cancelled may take. */
const CALL_MS = 60_000;
/** A server stops its commands within 4 s if the machine is not otherwise busy. */
const SETTLE_MS = 15_000;

/** Starts servers, sends them mixed traffic through every transport, and measures what is left. */
export async function soak(options: SoakOptions): Promise<SoakFigures> {
  await using services = await startServices();
  await prepareFiles(services.files);
  const { env } = services;
  await using server = await startServer({ env });
  const stdio = { env: { ...env, MCP_AUDIT_FILE: `${services.audit}-stdio` } };
  const tally: Tally = { calls: 0, answered: 0, cancelled: 0, wrong: [] };
  const random = createRandom(options.seed);
  const makers: readonly [CallMaker, ...CallMaker[]] = [
    ...callMakers(services),
    ...options.further ?? [],
  ];
  let samples;
  {
    await using stack = new AsyncDisposableStack();
    const ways = await openWays(server.url, stdio);
    for (const way of ways) stack.use(way);
    // What is loaded or connected only once is not a leak.
    for (const maker of makers) {
      await callOnce(ways[0], maker(++tally.calls, random), tally, random);
    }
    using watch = watchServer(server.pid);
    const until = performance.now() + options.ms;
    const worker = async () => {
      while (performance.now() < until) await callNext(ways, makers, tally, random);
    };
    await Promise.all(Array.from({ length: options.parallel ?? 6 }, worker));
    await settle(() => sleepsOf(services).length === 0, options.settleMs);
    await settle(() => watch.samples.at(-1)?.descriptors === watch.samples[0]?.descriptors, 5_000);
    watch.sample();
    samples = [...watch.samples];
  }
  const sleeping = sleepsOf(services);
  const exitCode = await server.stop();
  await settle(() => findByMark(services.mark).length === 0, options.settleMs);
  const left = findByMark(services.mark);
  const processesLeft = [...new Set([...sleeping, ...left])].map(describeProcess)
    .filter((line) => line !== "");
  for (const pid of left) kill(pid);
  return {
    ...tally,
    seconds: options.ms / 1_000,
    processesLeft,
    samples,
    slope: memorySlope(samples),
    unhandled: server.stderr().split("\n").filter((line) => UNHANDLED.test(line)),
    exitCode,
    audit: await readAudit(services.audit),
    temporaryFiles: [...Deno.readDirSync(services.temp)].length,
  };
}

async function callNext(
  ways: readonly Way[],
  makers: readonly [CallMaker, ...CallMaker[]],
  tally: Tally,
  random: Random,
): Promise<void> {
  const way = ways[random.below(ways.length)];
  const call = random.pick(makers)(++tally.calls, random);
  if (random.below(RECONNECT_ONE_OF) === 0 && way?.reconnect !== undefined) {
    tally.calls--;
    return await way.reconnect();
  }
  await callOnce(way, call, tally, random);
}

async function callOnce(
  way: Way | undefined,
  call: ReturnType<CallMaker>,
  tally: Tally,
  random: Random,
): Promise<void> {
  if (way === undefined) return;
  const { tool, args, isRight, endless = false } = call;
  const controller = new AbortController();
  const closedBefore = way.closed;
  const isCancelled = endless || random.below(CANCEL_ONE_OF) === 0;
  const ms = isCancelled ? 1 + random.below(LONGEST_BEFORE_CANCEL_MS) : CALL_MS;
  const timer = setTimeout(() => controller.abort(new DOMException("gone", "AbortError")), ms);
  try {
    const output = await way.call(tool, args, controller.signal);
    tally.answered++;
    if (!isRight(output)) {
      tally.wrong.push(`${way.name}, ${tool}: ${JSON.stringify(output).slice(0, 300)}`);
    }
  } catch (error) {
    // A client that reconnects ends its other running calls, and no later ones.
    if (isCancelled || way.closed > closedBefore) tally.cancelled++;
    else tally.wrong.push(`${way.name}, ${tool}: ${String(error).slice(0, 300)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** The processes of endless commands, all of which were cancelled. */
function sleepsOf({ mark }: Services): number[] {
  return findByMark(mark).filter((pid) => describeProcess(pid).startsWith("sleep "));
}

/** The command line of a process; empty for one that has ended. */
function describeProcess(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`).replaceAll("\0", " ").slice(0, 200);
  } catch {
    return "";
  }
}

async function settle(done: () => boolean, ms = SETTLE_MS): Promise<void> {
  const deadline = performance.now() + ms;
  while (!done() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The lines of all servers, which write to separate files. */
async function readAudit(path: string): Promise<{ starts: number; ends: number }> {
  const texts = await Promise.all(
    [path, `${path}-stdio`].map((file) => Deno.readTextFile(file).catch(() => "")),
  );
  const count = (kind: string) => texts.join("").split(`{"audit":"${kind}"`).length - 1;
  return { starts: count("start"), ends: count("end") };
}
