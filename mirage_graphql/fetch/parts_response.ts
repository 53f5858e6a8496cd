import { firstOf } from "../deadline.ts";
import type { PartsOutcome } from "../incremental/execute_parts.ts";
import type { LaterPart } from "../incremental/split_result.ts";
import { network } from "../request/passthrough.ts";

/** How parts are sent. */
export interface PartsOptions {
  /** Milliseconds before each part but the first. */
  readonly deferLatency: number;
  /** Ends the wait for the next part. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A response in parts of `multipart/mixed`, in the format that Apollo Client and urql read.
 *
 * @see https://github.com/graphql/graphql-over-http/blob/main/rfcs/IncrementalDelivery.md
 */
export function partsResponse({ parts }: PartsOutcome, options: PartsOptions): Response {
  const { first, later } = parts;
  const encoder = new TextEncoder();
  const queue = [{ ...first, hasNext: true }, ...later.map(toIncrement), { hasNext: false }];
  let isOpen = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const [part, ...rest] = queue.splice(0);
      queue.push(...rest);
      if (isOpen && rest.length > 0 && options.deferLatency > 0) {
        await firstOf({ timeoutMs: options.deferLatency, signal: options.signal }).passed;
      }
      controller.enqueue(encoder.encode(`${isOpen ? "" : "\r\n---"}${toPart(part)}`));
      isOpen = true;
      if (rest.length > 0) return controller.enqueue(encoder.encode("\r\n---"));
      controller.enqueue(encoder.encode("\r\n-----\r\n"));
      controller.close();
    },
  });
  return new network.Response(body, { headers: HEADERS });
}

/** `no-transform` keeps servers from buffering parts until there is enough to compress. */
const HEADERS = {
  "Content-Type": 'multipart/mixed; boundary="-"; deferSpec=20220824',
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

function toIncrement(part: LaterPart): object {
  return { incremental: [part], hasNext: true };
}

/** A client reads a part when the boundary after it has arrived. */
function toPart(part: object | undefined): string {
  return `\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${JSON.stringify(part)}`;
}
