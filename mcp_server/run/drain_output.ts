import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { ChildIo } from "./child_io.ts";
import { endProcesses } from "./end_processes.ts";
import type { LiveProcess } from "./proc_format.ts";
import type { ProcessTable, RunMark } from "./process_table.ts";
import { within } from "../shared/deadline.ts";

/** How long the output may take to end once the program has ended. */
const DRAIN_MS = 250;

/** How much longer the answer waits for background processes to end. */
const ENDING_MS = 300;

/** How long output is read that continues to arrive. */
const MOST_DRAIN_MS = 30_000;

/** What output is drained with. */
interface DrainParts {
  readonly table: ProcessTable;
  readonly log: Log;
  /** Keeps track of what continues after the answer. */
  readonly track: (work: Promise<void>) => void;
}

/**
 * Waits for the rest of the output of a program that has ended, and resolves with the number of
 * background processes that were killed for it.
 *
 * The rule: output that is still open 250 ms after the program has ended is held open by a process
 * in the background, such as `sleep 300 &`, whose output nobody can read any more. The run's
 * processes that hold it are killed (SIGTERM, 2 s, SIGKILL); the answer waits for that until no
 * output has arrived for 300 ms. A background process that sent its output elsewhere
 * (`daemon > log 2>&1 &`) is left alone, even if it holds the run's input: it does not get what it has
 * not read by then.
 */
export async function drainOutput(io: ChildIo, run: RunMark, parts: DrainParts): Promise<number> {
  const drained = within(Promise.all([io.ended, io.fed]), DRAIN_MS);
  if (await within(io.ended, DRAIN_MS)) {
    if (!await drained) await io.close();
    return 0;
  }
  const holders = await findHolders(run, parts);
  if (holders.length > 0) {
    parts.track(endHolders(holders, io, { ...parts, run }));
    await untilQuiet(io, ENDING_MS);
  } else {
    // On a busy machine the end of the output may just be late.
    await untilQuiet(io, DRAIN_MS);
    await io.close();
  }
  return holders.length;
}

/** A timer that fires so much later than it was set shows that this process could not read either. */
const LATE_MS = 50;

/**
 * Resolves when the output has ended, or once none has arrived for so long: not while a listener
 * delays it, or this process had no time to read it. Waits for half a minute at most.
 */
export async function untilQuiet(io: Pick<ChildIo, "ended" | "pieces">, ms: number): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  for (let pause = ms; elapsed() < MOST_DRAIN_MS;) {
    const [before, since] = [io.pieces(), elapsed()];
    if (await within(io.ended, pause)) return;
    const isQuiet = before !== undefined && before === io.pieces();
    const isLate = elapsed() - since >= pause + LATE_MS;
    if (isQuiet && !isLate) return;
    pause = isQuiet ? LATE_MS : ms;
  }
}

async function endHolders(
  known: readonly LiveProcess[],
  io: ChildIo,
  { run, table, log }: DrainParts & { run: RunMark },
): Promise<void> {
  let ended = false;
  io.ended.then(() => ended = true);
  const { left, error } = await endProcesses({
    known,
    find: async () => ended ? [] : await table.holders(run),
    target: ({ pid }) => pid,
  });
  await untilQuiet(io, DRAIN_MS);
  await io.close();
  if (left.length === 0) return;
  const reason = messageOf(error ?? "they do not end");
  const pids = left.map(({ pid }) => pid);
  log.error("processes that hold the output of a command are left", { left: pids, reason });
}

async function findHolders(run: RunMark, { table, log }: DrainParts): Promise<LiveProcess[]> {
  try {
    return await table.holders(run);
  } catch (error) {
    log.error("background processes can't be looked up", { error: messageOf(error) });
    return [];
  }
}
