import { constants } from "node:os";
import type { ExecutionResult, OutputEvent } from "../../domain/command.ts";
import type { Log } from "../../domain/log.ts";
import type { Connection } from "./connection.ts";
import { createMarker, toExecLine } from "./exec_line.ts";
import { RemoteOutput } from "./remote_output.ts";
import type { Channel } from "./ssh2.ts";
import { SshError } from "./ssh_error.ts";
import { endHolders, type Stopped, stopRemote } from "./stop_remote.ts";

/** What became of a command on another host. */
export type RemoteResult = ExecutionResult & {
  /** Whether its processes are gone; only where it was stopped or its connection was lost. */
  stopped?: Stopped;
};

/** How a remote command runs. */
export interface RemoteRunOptions {
  readonly timeoutMs: number;
  /** Bytes kept of each output stream. */
  readonly limit: number;
  /** Stops the command. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onOutput: (event: Pick<OutputEvent, "stream" | "text">) => void;
}

/** A result, and why there is no more of it where the host failed. */
export interface RemoteRun {
  readonly result: RemoteResult;
  readonly fault?: SshError;
}

/** The exit code of a command that could not be run to its end, as OpenSSH's own. */
export const FAILED = 255;

/** How long the output may be silent once the command has ended. */
const QUIET_MS = 250;
/** How long it may go on in all. */
const DRAIN_MS = 3_000;
const CLOSE_MS = 250;
/** How long a command that is to be stopped may take to tell its process group. */
const LATE_MS = 1_000;

/**
 * Runs one command on a connection. Resolves for every end; rejects with an `SshError` where it was
 * not started, and with the signal's reason once it is stopped.
 */
export async function runRemote(
  connection: Connection,
  command: string,
  options: RemoteRunOptions,
): Promise<RemoteRun> {
  const { timeoutMs, limit, signal, onOutput } = options;
  const marker = createMarker();
  const output = new RemoteOutput({ limit, marker, onOutput });
  const ends = watchEnds(connection, { timeoutMs, signal });
  try {
    const line = toExecLine(command, marker);
    const opened = connection.exec(line, (channel) => watchChannel(channel, output));
    const run = await Promise.race([opened, ends.promise]);
    if (typeof run !== "string") {
      const end = await Promise.race([run.ended, ends.promise]);
      return await finish(end, { connection, run, output, ...options });
    }
    // Where the host can't have got the command, this rejects and says so.
    if (run === "lost") await within(opened, CLOSE_MS);
    const late = run === "lost" ? undefined : await toLateRun(opened);
    return await finish(run, { connection, run: late, output, ...options });
  } finally {
    ends.release();
    output.mute();
  }
}

/** A command that was stopped before the host answered may start all the same. */
async function toLateRun(opened: Promise<Running>): Promise<Running | undefined> {
  const late = opened.catch(() => undefined);
  return await within(late, LATE_MS) ? await late : undefined;
}

type End = "ended" | "timed out" | "aborted" | "lost";

interface Running {
  readonly channel: Channel;
  readonly ended: Promise<"ended">;
  readonly closed: Promise<void>;
  exit: { code?: number; signal?: string };
}

interface FinishParts {
  readonly connection: Connection;
  readonly run: Running | undefined;
  readonly output: RemoteOutput;
  readonly signal: AbortSignal;
  readonly log: Log;
}

function watchEnds(
  connection: Connection,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): { promise: Promise<End>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<End>();
  const onAbort = () => resolve("aborted");
  const timer = setTimeout(() => resolve("timed out"), timeoutMs);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  connection.lost.then(() => resolve("lost"));
  const release = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  };
  return { promise, release };
}

function watchChannel(channel: Channel, output: RemoteOutput): Running {
  const ended = Promise.withResolvers<"ended">();
  const closed = Promise.withResolvers<void>();
  const run: Running = { channel, ended: ended.promise, closed: closed.promise, exit: {} };
  channel.on("exit", (code: number | null, signal?: string) => {
    run.exit = code === null ? { signal } : { code };
    ended.resolve("ended");
  });
  channel.on("close", () => {
    closed.resolve();
    ended.resolve("ended");
  });
  channel.on("error", () => {});
  output.read(channel);
  channel.end();
  return run;
}

async function finish(end: End, parts: FinishParts): Promise<RemoteRun> {
  const { connection, run, output, signal, log } = parts;
  // A connection that dies closes its channels first.
  if (end === "lost" || (end === "ended" && run?.exit.code === undefined && !connection.alive)) {
    return lost(await connection.lost, parts);
  }
  if (end === "ended" && run !== undefined) {
    const backgroundEnded = await drain(run, parts);
    return answer(run, { connection, output, backgroundEnded });
  }
  const stopped = await stop(parts);
  if (stopped !== true) {
    log.error("a remote command was not stopped", { host: connection.hop.alias, stopped });
  }
  if (end === "aborted") throw signal.reason;
  const { signal: name = "SIGTERM" } = run?.exit ?? {};
  const exitCode = run?.exit.code ?? codeOf(name);
  const ended = run?.exit.signal === undefined ? {} : { signal: run.exit.signal };
  return { result: { ...toResult(output, exitCode), timedOut: true, ...ended, stopped } };
}

/** Ends what holds the output of a command that has ended, as is done on the server's own host. */
async function drain(run: Running, { connection, output }: FinishParts): Promise<number> {
  const latest = performance.now() + DRAIN_MS;
  output.lastAt = performance.now();
  for (let left = QUIET_MS; left > 0;) {
    if (await within(run.closed, left)) return 0;
    left = Math.min(latest, output.lastAt + QUIET_MS) - performance.now();
  }
  const { group } = output.marked;
  const count = group === undefined ? 0 : await endHolders(connection, group);
  await within(run.closed, CLOSE_MS);
  run.channel.close();
  return count;
}

async function stop({ connection, run, output }: FinishParts): Promise<Stopped> {
  if (run !== undefined) await within(Promise.race([output.marked.found, run.closed]), LATE_MS);
  const { group } = output.marked;
  const stopped = group === undefined ? "unknown" : await stopRemote(connection, group);
  if (run !== undefined) {
    await within(run.closed, CLOSE_MS);
    run.channel.close();
  }
  return stopped;
}

function lost(reason: string, { connection, run, output }: FinishParts): RemoteRun {
  const state = `the connection was lost while a command ran (${reason})`;
  const message = `Cannot get the result from "${connection.hop.alias}": ${state}`;
  const result = toResult(output, FAILED);
  const { stderr } = result;
  const gap = stderr === "" || stderr.endsWith("\n") ? "" : "\n";
  return {
    result: {
      ...result,
      stderr: `${stderr}${gap}${message}`,
      ...(run === undefined ? {} : { stopped: "unknown" as const }),
    },
    fault: new SshError(message, "exec"),
  };
}

function answer(
  { exit }: Running,
  { connection, output, backgroundEnded }: {
    connection: Connection;
    output: RemoteOutput;
    backgroundEnded: number;
  },
): RemoteRun {
  if (output.marked.group === undefined) return refused(exit, connection, output);
  const { code, signal } = exit;
  return {
    result: {
      ...toResult(output, code ?? (signal === undefined ? FAILED : codeOf(signal))),
      ...(signal === undefined ? {} : { signal }),
      ...(backgroundEnded === 0 ? {} : { backgroundEnded }),
    },
  };
}

/** The login shell ended before it ran anything: `nologin`, a forced command, a restricted shell. */
function refused(
  { code, signal }: Running["exit"],
  { hop }: Connection,
  output: RemoteOutput,
): RemoteRun {
  const said = [output.marked.banner, output.stderr.text().trim()].filter((text) => text !== "");
  const text = said.length === 0 ? "it says nothing" : `it says: ${said.join("\n")}`;
  const message = `Cannot run commands on "${hop.alias}" as "${hop.user}": the login shell ended ` +
    `with ${code ?? signal ?? "no exit code"} and ran none; ${text}`;
  const result = { ...toResult(output, FAILED), stderr: message };
  return { result, fault: new SshError(message, "exec") };
}

function toResult({ stdout, stderr }: RemoteOutput, exitCode: number): RemoteResult {
  return {
    stdout: stdout.text(),
    stderr: stderr.text(),
    exitCode,
    timedOut: false,
    ...(stdout.truncated || stderr.truncated ? { truncated: true } : {}),
  };
}

const SIGNALS: Readonly<Record<string, number>> = constants.signals;

/** 128 + the signal's number, as shells answer. */
function codeOf(signal: string): number {
  return 128 + (SIGNALS[signal] ?? 0);
}

async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
