import type { BodyFormat } from "./result_body.ts";

/** Content-Type of an event stream. */
export const EVENT_STREAM = "text/event-stream; charset=utf-8";

/** Clients ignore it. */
export const COMMENT = ":\n\n";

/** Writes an event; one without data has an empty field, which `EventSource` needs. */
export function toEvent(name: "next" | "complete", data?: object): string {
  return `event: ${name}\ndata:${data === undefined ? "" : ` ${JSON.stringify(data)}`}\n\n`;
}

/**
 * The results of one request as an event stream: the graphql-sse protocol, "distinct connections
 * mode".
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export const EVENTS: BodyFormat = {
  type: EVENT_STREAM,
  start: COMMENT,
  heartbeat: COMMENT,
  end: /* @__PURE__ */ toEvent("complete"),
  write: (result) => toEvent("next", result),
  fail: (message) => toEvent("next", { errors: [{ message }] }),
};
