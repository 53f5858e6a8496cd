import { Buffer } from "node:buffer";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { quotePath } from "../../files/file_error.ts";
import { jsonTextLength, withoutUnset } from "../../shared/json.ts";
import { fitOutputs, OutputCapture, type ResultBudget } from "../../tool/command_output.ts";
import type { MaskStream, SecretMask } from "../../access/secret_mask.ts";
import type { ExecutionResult, OutputEvent, OutputStream } from "../../tool/command.ts";
import { CANNOT_ENTER } from "./exec_line.ts";
import type { Hop } from "./route.ts";
import { type Channel, SshError, wordsOfHost } from "./ssh2.ts";

/**
 * Whether the processes of a stopped command are gone; `"unknown"` if that could not be checked.
 */
export type Stopped = boolean | "unknown";

/** What reads a remote command's output: each piece of text as it arrives. */
export type OutputListener = (
  event: Pick<OutputEvent, "stream" | "text" | "bytes">,
) => void | Promise<void>;

/** The output of a command that runs on another host. */
export class RemoteOutput {
  readonly stdout: OutputCapture;
  readonly stderr: OutputCapture;
  /** Removes the first line of stdout, which is not the command's. */
  readonly marked: MarkedOutput;
  /** When the last piece arrived, as `performance.now()` counts. */
  lastAt = 0;
  readonly #onOutput: OutputListener;
  readonly #budget: ResultBudget;
  readonly #masks: Readonly<Record<OutputStream, MaskStream>> | undefined;
  readonly #decoders = { stdout: createDecoder(), stderr: createDecoder() };
  #muted = false;

  /** Keeps up to `limit` bytes of each stream, masked, as much of them as the budget allows. */
  constructor(
    marker: string,
    { limit, budget, mask, onOutput }: {
      readonly limit: number;
      readonly budget: ResultBudget;
      readonly mask?: SecretMask | undefined;
      readonly onOutput: OutputListener;
    },
  ) {
    this.stdout = new OutputCapture(limit);
    this.stderr = new OutputCapture(limit);
    this.#onOutput = onOutput;
    this.#budget = budget;
    this.#masks = mask && { stdout: mask.stream(), stderr: mask.stream() };
    this.marked = new MarkedOutput(marker, (chunk) => this.#take("stdout", chunk));
  }

  /** Reads both streams of a channel. */
  read(channel: Channel): void {
    this.#readTo(channel, (chunk) => this.marked.push(chunk));
    this.#readTo(channel.stderr, (chunk) => this.#take("stderr", chunk));
  }

  /**
   * Returns the kept parts of both streams as text that fits the budget, and deducts them from it; no
   * more is kept or reported.
   */
  fit(): ReturnType<typeof fitOutputs> {
    this.mute();
    const outputs = fitOutputs(this, this.#budget.next);
    this.#budget.spend(jsonTextLength(outputs.stdout) + jsonTextLength(outputs.stderr));
    return outputs;
  }

  /** Keeps and reports what is held back, and nothing more. */
  mute(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = this.#masks?.[stream].end();
      if (rest !== undefined) this.#keep(stream, rest);
    }
    this.#muted = true;
  }

  /** Reads a stream no faster than its listener can take it. */
  #readTo(source: Readable, take: (chunk: Uint8Array) => void | Promise<void>): void {
    source.on("data", (chunk: Uint8Array) => {
      this.lastAt = performance.now();
      const room = take(chunk);
      if (!(room instanceof Promise)) return;
      source.pause();
      room.catch(() => {}).finally(() => source.resume());
    });
  }

  #take(stream: OutputStream, chunk: Uint8Array): void | Promise<void> {
    const mask = this.#masks?.[stream];
    return this.#keep(stream, mask === undefined ? chunk : mask.push(chunk));
  }

  #keep(stream: OutputStream, bytes: Uint8Array): void | Promise<void> {
    if (this.#muted || bytes.length === 0) return;
    this[stream].push(bytes);
    const text = this.#decoders[stream].decode(bytes, { stream: true });
    return this.#onOutput({ stream, text, bytes });
  }
}

function createDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}

const MOST_NAME = 64;

/** A command that runs on another host. */
export interface RemoteChannel {
  readonly channel: Channel;
  /** Resolves when its first process has ended. */
  readonly ended: Promise<"ended">;
  /** Resolves when nothing holds its output anymore. */
  readonly closed: Promise<void>;
  /** How it ended; neither if the host did not report it. */
  exit: { code?: number; signal?: string };
}

/**
 * Listens to a channel from the moment it is open. The command's standard input is a text and its end.
 */
export function watchChannel(channel: Channel, output: RemoteOutput, stdin: string): RemoteChannel {
  const ended = Promise.withResolvers<"ended">();
  const closed = Promise.withResolvers<void>();
  const run: RemoteChannel = { channel, ended: ended.promise, closed: closed.promise, exit: {} };
  channel.on("exit", (code: number | null, signal?: string) => {
    run.exit = code === null ? { signal: toSignalName(signal) } : { code };
    ended.resolve("ended");
  });
  channel.on("close", () => {
    closed.resolve();
    ended.resolve("ended");
  });
  output.read(channel);
  if (stdin === "") channel.end();
  else channel.end(new TextEncoder().encode(stdin));
  return run;
}

/** The name of a signal as in RFC 4254 (section 6.10), whatever the host calls it. */
function toSignalName(name = ""): string {
  return name.replaceAll(/[^\w@.+-]/g, "").slice(0, MOST_NAME);
}

const MOST_BANNER = 2_000;
/** A login shell that prints more than this before the marker does not print it at all. */
const MOST_BEFORE = 1024 * 1024;
/** The longest process id, and the end of its line. */
const MOST_DIGITS = 24;

/**
 * Removes the marker line from the output of a command, and all that the login shell printed before
 * it, such as a banner.
 */
export class MarkedOutput {
  readonly #marker: string;
  readonly #onOutput: (chunk: Uint8Array) => void | Promise<void>;
  #waiting: Buffer = Buffer.alloc(0);
  #before = "";
  /** How many bytes were not the command's. */
  #forgotten = 0;
  #group: number | undefined;
  readonly #awaited = Promise.withResolvers<void>();

  constructor(marker: string, onOutput: (chunk: Uint8Array) => void | Promise<void>) {
    this.#marker = `${marker} `;
    this.#onOutput = onOutput;
  }

  /** Resolves once the marker has arrived, or so much else that it is not to be expected. */
  get awaited(): Promise<void> {
    return this.#awaited.promise;
  }

  /** The id of the command's process group, once the marker has arrived. */
  get group(): number | undefined {
    return this.#group;
  }

  /** The last part of what was printed before the marker; all of it if no marker arrived. */
  get banner(): string {
    return (this.#before + this.#waiting.toString()).slice(-MOST_BANNER).trim();
  }

  /** Takes the next piece of the output; the promise resolves when there is room for more. */
  push(chunk: Uint8Array): void | Promise<void> {
    if (this.#group !== undefined) return this.#onOutput(chunk);
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    const at = this.#waiting.indexOf(this.#marker);
    if (at === -1) return this.#forget(this.#waiting.length - this.#marker.length);
    this.#forget(at);
    const end = this.#waiting.indexOf("\n", this.#marker.length);
    if (end === -1 && this.#waiting.length < this.#marker.length + MOST_DIGITS) return;
    return this.#take(end);
  }

  #take(end: number): void | Promise<void> {
    const line = this.#waiting.subarray(this.#marker.length, Math.max(end, this.#marker.length));
    const group = Number(line.toString());
    if (!Number.isInteger(group) || group <= 1) return this.#forget(this.#marker.length);
    const rest = this.#waiting.subarray(end + 1);
    this.#group = group;
    this.#awaited.resolve();
    this.#waiting = Buffer.alloc(0);
    if (rest.length > 0) return this.#onOutput(rest);
  }

  #forget(bytes: number): void {
    if (bytes <= 0) return;
    const gone = this.#waiting.subarray(0, bytes);
    this.#before = (this.#before + gone.toString()).slice(-MOST_BANNER);
    this.#waiting = this.#waiting.subarray(bytes);
    this.#forgotten += bytes;
    if (this.#forgotten > MOST_BEFORE) this.#awaited.resolve();
  }
}

/** The result of a command on another host. */
export type RemoteResult = ExecutionResult & {
  /** Whether its processes are gone; only if it was stopped or its connection was lost. */
  stopped?: Stopped;
};

/** A result, and why it is incomplete if the host failed. */
export interface RemoteRun {
  readonly result: RemoteResult;
  readonly fault?: SshError;
}

/** The exit code of a command that could not be run to its end, the same as OpenSSH's. */
const FAILED = 255;

/** The result of a command that never ran; the error of its host says why. */
export const NOT_RUN: RemoteResult = Object.freeze({
  stdout: "",
  stderr: "",
  exitCode: FAILED,
  timedOut: false,
});

/** The result of a command that ended by itself. */
export function toEndedRun(
  { exit }: RemoteChannel,
  output: RemoteOutput,
  hop: Hop,
  { backgroundEnded, cwd }: { readonly backgroundEnded: number; readonly cwd?: string | undefined },
): RemoteRun {
  if (output.marked.group === undefined) return refused(exit, hop, output, cwd);
  const { code, signal } = exit;
  if (code === undefined && signal === undefined) {
    return toFailedRun("it closed the channel without an exit status", output, hop, true);
  }
  const ended = { signal, backgroundEnded: backgroundEnded || undefined };
  return { result: toResult(output, code ?? codeOf(signal ?? ""), ended) };
}

/** The result of a command that its time-out stopped. */
export function toStoppedRun(
  { code, signal }: RemoteChannel["exit"],
  output: RemoteOutput,
  stopped: Stopped,
): RemoteRun {
  const exitCode = code ?? codeOf(signal ?? "SIGTERM");
  return { result: toResult(output, exitCode, { timedOut: true, signal, stopped }) };
}

/** The result of a command of which the host did not report an end; `started`: it may still run. */
export function toFailedRun(
  state: string,
  output: RemoteOutput,
  { alias }: Hop,
  started: boolean,
): RemoteRun {
  const result = toResult(output, FAILED, { stopped: started ? "unknown" : undefined });
  return { result, fault: new SshError(`Cannot get the result from "${alias}": ${state}`, "exec") };
}

/** The login shell ended before it ran anything: `nologin`, a forced command, a restricted shell. */
function refused(
  { code, signal }: RemoteChannel["exit"],
  hop: Hop,
  output: RemoteOutput,
  cwd: string | undefined,
): RemoteRun {
  const said = [output.marked.banner, output.stderr.text()].map(wordsOfHost)
    .filter((text) => text !== "");
  const text = said.length === 0 ? "it printed nothing" : `it printed: ${said.join("\n")}`;
  const state = cwd !== undefined && code === CANNOT_ENTER
    ? `the working folder ${quotePath(cwd)} can't be entered`
    : `the login shell ended with ${code ?? signal ?? "no exit code"} and ran none`;
  const message = `Cannot run commands on "${hop.alias}" as "${hop.user}": ${state}; ${text}`;
  return { result: NOT_RUN, fault: new SshError(message, "exec") };
}

function toResult(
  output: RemoteOutput,
  exitCode: number,
  { timedOut = false, ...others }: Partial<RemoteResult>,
): RemoteResult {
  const { stdout, stderr, truncated } = output.fit();
  const kept = { stdout, stderr, exitCode, timedOut, truncated: truncated || undefined };
  return withoutUnset({ ...kept, ...others });
}

const SIGNALS: Readonly<Record<string, number>> = constants.signals;

/** 128 + the signal's number, as shells report it. */
function codeOf(signal: string): number {
  return 128 + (Object.hasOwn(SIGNALS, signal) ? SIGNALS[signal] ?? 0 : 0);
}
