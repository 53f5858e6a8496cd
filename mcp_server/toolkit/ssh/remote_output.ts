import type { OutputEvent } from "../../domain/command.ts";
import { OutputCapture } from "../../domain/output_capture.ts";
import { MarkedOutput } from "./marked_output.ts";
import type { Channel } from "./ssh2.ts";

/** How the output of a remote command is taken in. */
export interface RemoteOutputOptions {
  /** Bytes kept of each stream. */
  readonly limit: number;
  readonly marker: string;
  /** Called with each piece of text as it comes. */
  readonly onOutput: (event: Pick<OutputEvent, "stream" | "text">) => void;
}

/** The output of a command that runs on another host. */
export class RemoteOutput {
  readonly stdout: OutputCapture;
  readonly stderr: OutputCapture;
  /** Takes the first line of stdout, which is not the command's. */
  readonly marked: MarkedOutput;
  /** When the last piece came, as `performance.now()` counts. */
  lastAt = 0;
  readonly #onOutput: RemoteOutputOptions["onOutput"];
  #muted = false;

  /** Takes what is kept and who is told. */
  constructor({ limit, marker, onOutput }: RemoteOutputOptions) {
    this.stdout = new OutputCapture(limit);
    this.stderr = new OutputCapture(limit);
    this.#onOutput = onOutput;
    this.marked = new MarkedOutput(marker, this.#taker("stdout"));
  }

  /** Reads both streams of a channel. */
  read(channel: Channel): void {
    const takeError = this.#taker("stderr");
    channel.on("data", (chunk: Uint8Array) => {
      this.lastAt = performance.now();
      this.marked.push(chunk);
    });
    channel.stderr.on("data", (chunk: Uint8Array) => {
      this.lastAt = performance.now();
      takeError(chunk);
    });
  }

  /** Tells and keeps nothing more. */
  mute(): void {
    this.#muted = true;
  }

  #taker(stream: "stdout" | "stderr"): (chunk: Uint8Array) => void {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return (chunk) => {
      if (this.#muted) return;
      this[stream].push(chunk);
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") this.#onOutput({ stream, text });
    };
  }
}
