import { firstOf } from "../shared/deadline.ts";
import type { Outcome } from "../execution/outcome.ts";
import { network } from "../execution/passthrough.ts";
import type { LocalOperation } from "../execution/run_operation.ts";
import { executeParts } from "./execute_parts.ts";
import type { IncrementalSpec, Payload } from "./payloads.ts";
import { type BodyFormat, HEADERS } from "./result_body.ts";

/** A client reads a part when the next boundary has come, so each part brings that along. */
const NEXT_RESULT = "\r\n--graphql";

function toResultPart(body: object, before = ""): string {
  const text = JSON.stringify(body);
  return `${before}\r\nContent-Type: application/json\r\n\r\n${text}${NEXT_RESULT}`;
}

/**
 * The results of a subscription as `multipart/mixed`, which Apollo Client's `HttpLink` reads.
 *
 * @see https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
export const MULTIPART: BodyFormat = {
  type: 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"',
  start: /* @__PURE__ */ toResultPart({}, NEXT_RESULT),
  heartbeat: /* @__PURE__ */ toResultPart({}),
  end: "--\r\n",
  write: (result) => toResultPart({ payload: result }),
  fail: (message) => toResultPart({ payload: null, errors: [{ message }] }),
};

/**
 * Answers a document with `@defer` or `@stream` in parts of `multipart/mixed`, in the format that
 * the client reads, `deferLatency` milliseconds before each but the first; other outcomes than
 * results with data are returned as they are.
 *
 * @see https://github.com/graphql/graphql-over-http/blob/main/rfcs/IncrementalDelivery.md
 * @see https://specs.apollo.dev/incremental/v0.2/
 */
export async function answerInParts(
  pending: LocalOperation,
  spec: IncrementalSpec,
  deferLatency: number,
  signal: AbortSignal | undefined,
): Promise<Outcome | Response> {
  const executed = await executeParts(pending, spec, signal);
  if ("kind" in executed) return executed;
  const { payloads, end } = executed;
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

const BOUNDARY = "\r\n---";
const LAST: Payload = { hasNext: false };

/** A client reads a part when the boundary after it has arrived. */
function toPart(part: Payload): string {
  const text = JSON.stringify(part);
  const after = part.hasNext ? BOUNDARY : `${BOUNDARY}--\r\n`;
  return `\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${text}${after}`;
}
