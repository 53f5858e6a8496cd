import type { ExecutionResult } from "graphql";
import { network } from "../execution/passthrough.ts";

/** The source of results, which ends on `return()`. */
export type ResultSource = AsyncIterator<ExecutionResult, undefined>;

/** How results are written to a body. */
export interface BodyFormat {
  /** Content-Type of the response. */
  readonly type: string;
  /** What opens the body: browsers report an open connection only after the first bytes. */
  readonly start: string;
  /** What clients ignore; it keeps proxies from closing the connection. */
  readonly heartbeat: string;
  /** What closes the body. */
  readonly end: string;
  /** Writes one result. */
  write(result: object): string;
  /** Writes the message of a source that failed. */
  fail(message: string): string;
}

/** How a stream is kept open. */
export interface StreamOptions {
  /**
   * Milliseconds between heartbeats.
   * @default {12_000}
   */
  readonly heartbeat?: number | undefined;
}

/** How the results of one request are streamed. */
export interface ResultsOptions extends StreamOptions {
  /** Ends the heartbeats, also of a body that nobody reads. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The reason of a signal that breaks streams off, without the end that their protocols have: the
 * clients connect again.
 */
export class StreamBreak extends Error {
  override readonly name = "StreamBreak";
}

/** Streams results until the source ends; the source is ended when the client disconnects. */
export function streamResults(
  source: ResultSource,
  format: BodyFormat,
  { heartbeat = 12_000, signal }: ResultsOptions = {},
): Response {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearInterval(timer);
  };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(encoder.encode(format.start));
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) <= 0) return;
        controller.enqueue(encoder.encode(format.heartbeat));
      }, heartbeat);
      signal?.addEventListener("abort", () => clearInterval(timer), { once: true });
      if (signal?.aborted) clearInterval(timer);
    },
    async pull(controller) {
      const { isDone, text } = await readNext(source, format);
      if (isOver) return;
      if (isDone && signal?.reason instanceof StreamBreak) {
        end();
        return controller.error(signal.reason);
      }
      controller.enqueue(encoder.encode(text));
      if (!isDone) return;
      end();
      controller.close();
      // a source whose result can't be written is still open
      await source.return?.();
    },
    async cancel() {
      end();
      await source.return?.();
    },
  });
  return toStreamResponse(body, format.type);
}

/** A source that fails is done. */
async function readNext(
  source: ResultSource,
  format: BodyFormat,
): Promise<{ readonly isDone: boolean; readonly text: string }> {
  try {
    const { done, value } = await source.next();
    return done ? { isDone: true, text: format.end } : { isDone: false, text: format.write(value) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { isDone: true, text: format.fail(message) + format.end };
  }
}

/** The response with a body that is sent part by part. */
export function toStreamResponse(body: BodyInit, type: string): Response {
  // while Mirage intercepts requests in a page, the global one has no streams
  return new network.Response(body, {
    headers: {
      "Content-Type": type,
      // `no-transform` prevents servers from buffering parts until there is enough to compress
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}
