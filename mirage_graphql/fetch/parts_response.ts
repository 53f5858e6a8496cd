import { firstOf } from "../deadline.ts";
import type { PartsOutcome } from "../incremental/execute_parts.ts";
import type { Payload } from "../incremental/payloads.ts";
import { network } from "../request/passthrough.ts";

/** How parts are sent. */
export interface PartsOptions {
  /** Milliseconds before each part but the first. */
  readonly deferLatency: number;
  /** Ends the wait for the next part. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A response in parts of `multipart/mixed`, in the format that the client reads.
 *
 * @see https://github.com/graphql/graphql-over-http/blob/main/rfcs/IncrementalDelivery.md
 * @see https://specs.apollo.dev/incremental/v0.2/
 */
export function partsResponse(
  { payloads, spec, end }: PartsOutcome,
  { deferLatency, signal }: PartsOptions,
): Response {
  const encoder = new TextEncoder();
  let isOpen = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value = LAST } = await payloads.next();
      if (isOpen && deferLatency > 0 && value.incremental !== undefined) {
        await firstOf({ timeoutMs: deferLatency, signal }).passed;
      }
      controller.enqueue(encoder.encode(`${isOpen ? "" : BOUNDARY}${toPart(value)}`));
      isOpen = true;
      if (!value.hasNext) controller.close();
    },
    cancel: end,
  });
  const type = `multipart/mixed; boundary="-"; ${spec}`;
  return new network.Response(body, { headers: { ...HEADERS, "Content-Type": type } });
}

/** `no-transform` keeps servers from buffering parts until there is enough to compress. */
const HEADERS = { "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no" };

const BOUNDARY = "\r\n---";
const LAST: Payload = { hasNext: false };

/** A client reads a part when the boundary after it has arrived. */
function toPart(part: Payload): string {
  const text = JSON.stringify(part);
  const after = part.hasNext ? BOUNDARY : `${BOUNDARY}--\r\n`;
  return `\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${text}${after}`;
}
