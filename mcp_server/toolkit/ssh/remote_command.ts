import { firstOf, type WaitBounds, within } from "../../shared/concurrency.ts";
import type { SecretMask } from "../../access/secret_mask.ts";
import type { Log } from "../../shared/log.ts";
import { type ResultBudget, type RunEnd, untilEnd } from "../../tool/command_output.ts";
import type { Connection } from "./connection.ts";
import { createMarker, type SecretPlace, toExecLine, toSecretLines } from "./exec_line.ts";
import {
  type OutputListener,
  type RemoteChannel,
  RemoteOutput,
  type RemoteRun,
  type Stopped,
  toEndedRun,
  toFailedRun,
  toStoppedRun,
  watchChannel,
} from "./remote_output.ts";
import { SshError } from "./ssh2.ts";
import { endRemoteHolders, stopRemote } from "./stop_remote.ts";

/** How a remote command runs. */
export interface RemoteRunOptions extends SecretPlace {
  /** Standard input, followed by its end. @default {none} */
  readonly stdin?: string | undefined;
  readonly timeoutMs: number;
  /** The longest time that it may go on after `timeoutMs`, in milliseconds from its start. */
  readonly maxTimeoutMs: number;
  /** Decides whether it goes on when `timeoutMs` is over. @default {it is stopped} */
  readonly goesOn?: (() => Promise<boolean>) | undefined;
  /** Called with the output of the command, which is empty then. */
  readonly onBegin?: (output: RemoteOutput) => void;
  /** Bytes kept of each output stream. */
  readonly limit: number;
  /** How much of the call's answer the output may take. */
  readonly budget: ResultBudget;
  /** Stops the command. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Stops it if its host reports its process group too late. */
  readonly late: LateStops;
  /** Masks the output. @default {it is left as it is} */
  readonly mask?: SecretMask | undefined;
  readonly onOutput: OutputListener;
}

/** How long the output may be silent once the command has ended. */
const QUIET_MS = 250;
/** How long the output may continue in total. */
const DRAIN_MS = 3_000;
const CLOSE_MS = 250;
/** How long a command to be stopped may take to report its process group. */
const LATE_MS = 1_000;
/** How long it may take in total, once its call has been answered. */
const LATEST_MS = 30_000;
/** Most bytes of a command with its quotes and the text before it. */
const MOST_LINE = 255 * 1024;

/**
 * Runs one command on a connection. Resolves for every end; rejects with an `SshError` if it was
 * not started, and with the signal's reason once it is stopped.
 */
export async function runRemote(
  connection: Connection,
  command: string,
  options: RemoteRunOptions,
): Promise<RemoteRun> {
  const { timeoutMs, maxTimeoutMs, goesOn, signal, stdin = "", secretEnv } = options;
  const startedAt = performance.now();
  const marker = createMarker();
  const output = new RemoteOutput(marker, options);
  const input = toSecretLines(secretEnv) + stdin;
  options.onBegin?.(output);
  using ends = watchEnds(connection, { timeoutMs, signal });
  try {
    const line = toExecLine(command, marker, options);
    ensureFits(line, connection);
    const opened = connection.exec(line, (channel) => watchChannel(channel, output, input));
    const run = await Promise.race([opened, ends.promise]);
    if (typeof run !== "string") {
      ends[Symbol.dispose]();
      const elapsedMs = performance.now() - startedAt;
      const end = await untilEnd((bounds) => firstEnd(run, connection, bounds), {
        signal,
        timeoutMs: Math.max(0, timeoutMs - elapsedMs),
        mostMs: maxTimeoutMs - elapsedMs,
        goesOn,
      });
      return await finish(end, { connection, opened, run, output, ...options });
    }
    // If the host can't have received the command, this rejects and says so.
    if (run === "lost") await within(opened, CLOSE_MS);
    const late = run === "lost" ? undefined : await toLateRun(opened);
    return await finish(run, { connection, opened, run: late, output, ...options });
  } finally {
    output.mute();
  }
}

/** OpenSSH ends the connection on a packet of more than 256 KiB; a shell takes 128 KiB. */
function ensureFits(line: string, { hop }: Connection): void {
  const bytes = new TextEncoder().encode(line).length;
  if (bytes <= MOST_LINE) return;
  const state = `the command takes ${bytes} bytes and may take ${MOST_LINE}; put it into a file`;
  throw new SshError(`Cannot run commands on "${hop.alias}": ${state}`, "exec");
}

/** A command that was stopped before the host answered may still start. */
async function toLateRun(opened: Promise<RemoteChannel>): Promise<RemoteChannel | undefined> {
  const late = opened.catch(() => undefined);
  return await within(late, LATE_MS) ? await late : undefined;
}

/** A command that ends, and where it runs. */
interface FinishParts extends Pick<RemoteRunOptions, "cwd" | "signal" | "log" | "late"> {
  readonly connection: Connection;
  /** Resolves when the host has answered. */
  readonly opened: Promise<RemoteChannel>;
  readonly run: RemoteChannel | undefined;
  readonly output: RemoteOutput;
}

async function finish(end: RemoteEnd, parts: FinishParts): Promise<RemoteRun> {
  const { connection, run, output, cwd, signal, log } = parts;
  const { hop } = connection;
  // A connection that dies closes its channels first.
  if (end === "lost" || (end === "ended" && run?.exit.code === undefined && !connection.alive)) {
    const state = `the connection was lost while a command ran (${connection.lostReason})`;
    return toFailedRun(state, output, hop, run !== undefined);
  }
  if (end === "ended" && run !== undefined) {
    return toEndedRun(run, output, hop, { backgroundEnded: await drain(run, parts), cwd });
  }
  const stopped = await stop(parts);
  if (stopped !== true) {
    log.error("a remote command was not stopped", { host: hop.alias, stopped });
  }
  if (end === "aborted") throw signal.reason;
  return toStoppedRun(run?.exit ?? {}, output, stopped);
}

/**
 * Ends the processes that hold the output of a command that has ended, as on the server's own host.
 */
async function drain(run: RemoteChannel, { connection, output }: FinishParts): Promise<number> {
  const latest = performance.now() + DRAIN_MS;
  output.lastAt = performance.now();
  for (let left = QUIET_MS; left > 0;) {
    if (await within(run.closed, left)) return 0;
    left = Math.min(latest, output.lastAt + QUIET_MS) - performance.now();
  }
  const { group } = output.marked;
  const count = group === undefined ? 0 : await endRemoteHolders(connection, group);
  await closeChannel(run, connection);
  return count;
}

async function stop(parts: FinishParts): Promise<Stopped> {
  const { connection, run, output, late } = parts;
  if (run !== undefined) await groupOf(run, output, LATE_MS);
  const { group } = output.marked;
  if (group === undefined) {
    late.begin(connection, () => stopLate(parts));
    return "unknown";
  }
  const stopped = await stopRemote(connection, group);
  if (run !== undefined) await closeChannel(run, connection);
  return stopped;
}

/** Waits until a command has reported its process group, or is not expected to. */
async function groupOf(
  { closed }: RemoteChannel,
  { marked }: RemoteOutput,
  ms: number,
): Promise<number | undefined> {
  await within(Promise.race([marked.awaited, closed]), ms);
  return marked.group;
}

/** Stops a command that the host starts after its call was answered. */
async function stopLate({ connection, opened, output, log }: FinishParts): Promise<void> {
  const answered = opened.catch(() => undefined);
  const run = await within(answered, LATEST_MS) ? await answered : undefined;
  if (run === undefined) return;
  const group = await groupOf(run, output, LATEST_MS);
  if (group !== undefined) {
    const stopped = await stopRemote(connection, group);
    log.info("a remote command was stopped late", { host: connection.hop.alias, stopped });
  }
  await closeChannel(run, connection);
}

/**
 * A host that doesn't close its side could continue sending, and keep the output in memory forever.
 */
async function closeChannel(run: RemoteChannel, connection: Connection): Promise<void> {
  if (await within(run.closed, CLOSE_MS)) return;
  run.channel.close();
  if (!await within(run.closed, LATE_MS)) connection.close();
}

/** How a remote command may end. */
type RemoteEnd = RunEnd | "lost";

/** Waits for the end of a command, or for one that does not come from it. */
async function firstEnd(
  run: RemoteChannel,
  connection: Connection,
  bounds: WaitBounds,
): Promise<RemoteEnd> {
  using ends = watchEnds(connection, bounds);
  return await Promise.race([run.ended, ends.promise]);
}

/** Waits for an end that does not come from the command itself. */
function watchEnds(
  connection: Connection,
  bounds: WaitBounds,
): Disposable & { readonly promise: Promise<RemoteEnd> } {
  const { promise, resolve } = Promise.withResolvers<RemoteEnd>();
  const deadline = firstOf(bounds, resolve);
  const forget = connection.onLost(() => resolve("lost"));
  return {
    promise,
    [Symbol.dispose]: () => {
      forget();
      deadline[Symbol.dispose]();
    },
  };
}

/** The most stops at once; each keeps a connection open. */
const MOST_STOPS = 64;
/** How long a server that ends waits for them. */
const STOPS_MS = 2_000;

/**
 * Stops of commands whose host is too slow for the answer of their call: a busy host may start a
 * command seconds after the call was stopped.
 */
export class LateStops {
  readonly #running = new Map<Connection, Promise<void>>();

  /**
   * Stops a command in the background, and closes its connection afterwards. Does nothing if too
   * many stops are under way, or the connection is lost.
   */
  begin(connection: Connection, stop: () => Promise<void>): void {
    if (this.#running.size >= MOST_STOPS || !connection.alive) return;
    const stopped = stop().finally(() => this.#running.delete(connection));
    this.#running.set(connection, stopped);
    connection.closeAfter(stopped);
  }

  /** Waits until all have ended, for at most 2 s, and closes the connections of the others. */
  async close(): Promise<void> {
    await within(Promise.allSettled(this.#running.values()), STOPS_MS);
    for (const connection of this.#running.keys()) connection.closeNow();
  }
}
