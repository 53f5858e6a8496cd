import type { Readable } from "node:stream";
import type { OutputEvent, OutputStream } from "../../../tool/command.ts";
import { jsonTextLength } from "../../../shared/json.ts";
import { fitOutputs, OutputCapture } from "../../../shared/output_capture.ts";
import type { ResultBudget } from "../../../tool/result.ts";
import { MarkedOutput } from "./marked_output.ts";
import type { Channel } from "../ssh2.ts";

/** How the output of a remote command is read. */
export interface RemoteOutputOptions {
  /** Bytes kept of each stream. */
  readonly limit: number;
  /** What both streams may take as JSON text, when the command has ended. */
  readonly budget: ResultBudget;
  readonly marker: string;
  /** Called with each piece of text as it arrives. */
  readonly onOutput: (
    event: Pick<OutputEvent, "stream" | "text" | "bytes">,
  ) => void | Promise<void>;
}

/** The output of a command that runs on another host. */
export class RemoteOutput {
  readonly stdout: OutputCapture;
  readonly stderr: OutputCapture;
  /** Removes the first line of stdout, which is not the command's. */
  readonly marked: MarkedOutput;
  /** When the last piece arrived, as `performance.now()` counts. */
  lastAt = 0;
  readonly #onOutput: RemoteOutputOptions["onOutput"];
  readonly #budget: RemoteOutputOptions["budget"];
  #muted = false;

  /** Takes how much to keep, and the listener. */
  constructor({ limit, budget, marker, onOutput }: RemoteOutputOptions) {
    this.stdout = new OutputCapture(limit);
    this.stderr = new OutputCapture(limit);
    this.#onOutput = onOutput;
    this.#budget = budget;
    this.marked = new MarkedOutput(marker, this.#taker("stdout"));
  }

  /** Reads both streams of a channel. */
  read(channel: Channel): void {
    this.#readTo(channel, (chunk) => this.marked.push(chunk));
    this.#readTo(channel.stderr, this.#taker("stderr"));
  }

  /**
   * Returns the kept parts of both streams as text that fits the budget, and deducts them from it.
   */
  fit(): ReturnType<typeof fitOutputs> {
    const outputs = fitOutputs(this, this.#budget.next);
    this.#budget.spend(jsonTextLength(outputs.stdout) + jsonTextLength(outputs.stderr));
    return outputs;
  }

  /** Stops reporting and keeping output. */
  mute(): void {
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

  #taker(stream: OutputStream): (chunk: Uint8Array) => void | Promise<void> {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return (bytes) => {
      if (this.#muted) return;
      this[stream].push(bytes);
      return this.#onOutput({ stream, text: decoder.decode(bytes, { stream: true }), bytes });
    };
  }
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

/** Listens to a channel from the moment it is open, and closes the command's standard input. */
export function watchChannel(channel: Channel, output: RemoteOutput): RemoteChannel {
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
  channel.end();
  return run;
}

/** The name of a signal as in RFC 4254 (section 6.10), whatever the host calls it. */
function toSignalName(name = ""): string {
  return name.replaceAll(/[^\w@.+-]/g, "").slice(0, MOST_NAME);
}
