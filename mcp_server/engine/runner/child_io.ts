import type { OutputEvent } from "../../domain/command.ts";
import { messageOf } from "../../domain/error.ts";
import type { Log } from "../../domain/log.ts";
import { readOutput } from "./output_reader.ts";
import type { OutputCapture } from "../../domain/output_capture.ts";

/** What goes into a child and what becomes of its output. */
export interface IoOptions {
  /** Bytes kept of each output stream. */
  readonly limit: number;
  readonly stdin?: string;
  readonly onOutput?: (event: OutputEvent) => void;
  readonly log: Log;
}

/** The three standard streams of a child. */
export interface ChildIo {
  readonly stdout: OutputCapture;
  readonly stderr: OutputCapture;
  /** Resolves when no process holds the other end of a stream, or they are closed. */
  readonly ended: Promise<void>;
  /** Tells no output any more. */
  mute(): void;
  /** Stops reading. */
  close(): Promise<void>;
}

/** Begins to write the input and to read the output; neither waits for the other. */
export function openChildIo(child: Deno.ChildProcess, options: IoOptions): ChildIo {
  const { limit, stdin, log } = options;
  let { onOutput } = options;
  const tell = (event: OutputEvent) => {
    try {
      onOutput?.(event);
    } catch (error) {
      onOutput = undefined;
      log.warn("a listener for output failed and hears no more", { error: messageOf(error) });
    }
  };
  const read = (stream: "stdout" | "stderr") =>
    readOutput(child[stream], {
      limit,
      ...(onOutput === undefined ? {} : { onText: (text) => tell({ stream, text }) }),
    });
  const [out, err] = [read("stdout"), read("stderr")];
  const input = stdin ? feed(child.stdin, stdin) : undefined;
  const ended = Promise.all([out.ended, err.ended, input]).then(() => {}, (error) => {
    log.error("the streams of a command broke", { error: messageOf(error) });
  });
  return {
    stdout: out.capture,
    stderr: err.capture,
    ended,
    mute: () => onOutput = undefined,
    close: async () => void await Promise.allSettled([out.close(), err.close()]),
  };
}

async function feed(stream: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stream.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch (error) {
    // A program may end, or close its input, without having read it all.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
