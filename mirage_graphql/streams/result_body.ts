import { network } from "../execution/passthrough.ts";

/** How results are written to a body. */
export interface BodyFormat<Result = object> {
  /** Content-Type of the response. */
  readonly type: string;
  /** What opens the body: browsers report an open connection only after the first bytes. */
  readonly start: string;
  /** What clients ignore; it keeps proxies from closing the connection. */
  readonly heartbeat: string;
  /** What closes the body. */
  readonly end: string;
  /** Writes one result. */
  write(result: Result): string;
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
 * What breaks streams off, as the reason of a signal or of a source, without the end that their
 * protocols have: clients treat it as a lost connection, and connect again.
 */
export class StreamBreak extends TypeError {
  override readonly name = "StreamBreak";
}

/**
 * Streams results until the source ends; the source is ended by `return()` when the client
 * disconnects.
 */
export function streamResults<Result>(
  source: AsyncIterator<Result, undefined>,
  format: BodyFormat<Result>,
  { heartbeat = 12_000, signal }: ResultsOptions = {},
): Response {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isOver = false;
  const end = async () => {
    isOver = true;
    clearInterval(timer);
    // a source whose result can't be written is still open
    await source.return?.();
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
      const { isDone, text, failure } = await readNext(source, format);
      if (isOver) return;
      const broken = [failure, isDone && signal?.reason].find((one) => one instanceof StreamBreak);
      if (broken !== undefined) controller.error(broken);
      else controller.enqueue(encoder.encode(text));
      if (!isDone) return;
      if (broken === undefined) controller.close();
      await end();
    },
    cancel: end,
  });
  // while Mirage intercepts requests in a page, the global one has no streams
  return new network.Response(body, { headers: { ...HEADERS, "Content-Type": format.type } });
}

/** `no-transform` prevents servers from buffering parts until there is enough to compress. */
export const HEADERS = { "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no" };

/** What is written next. */
interface NextText {
  readonly isDone: boolean;
  readonly text: string;
  /** What the source failed with, which is done then. */
  readonly failure?: unknown;
}

async function readNext<Result>(
  source: AsyncIterator<Result, undefined>,
  format: BodyFormat<Result>,
): Promise<NextText> {
  try {
    const { done, value } = await source.next();
    return done ? { isDone: true, text: format.end } : { isDone: false, text: format.write(value) };
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure);
    return { isDone: true, text: format.fail(message) + format.end, failure };
  }
}
