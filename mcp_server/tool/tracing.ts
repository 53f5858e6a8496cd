import type { CallOutcome } from "./result.ts";
import type { Transport } from "./service.ts";

/** A call, as it is traced: neither its arguments nor its output. */
export interface TracedCall {
  /** Name of a registered tool; absent for any other name, which could be anything. */
  readonly tool: string | undefined;
  readonly transport: Transport;
  readonly requestId?: string | number | undefined;
  /** Where the call belongs in the trace of its client (W3C Trace Context). */
  readonly traceparent: string | undefined;
  /** The revision of MCP by which it came. */
  readonly protocolVersion?: string | undefined;
}

/** The part of a trace that a call is. */
export interface CallSpan {
  /** What the commands of the call get as `TRACEPARENT`. */
  readonly traceparent: string;
  /** Ends it with the outcome of the call. */
  end(outcome: CallOutcome): void;
}

/** Begins the span of a call. */
export type StartSpan = (call: TracedCall) => CallSpan;

/** A message of MCP that calls no tool, as it is traced. */
export interface TracedMessage {
  /** Its method; one that is not of MCP, which could be anything, is `_OTHER`. */
  readonly method: string;
  /** The way by which it came in. */
  readonly transport: Transport;
  /** The id of a request; a notification has none. */
  readonly requestId?: string | number;
  /** Where it belongs in the trace of its client. */
  readonly traceparent: string | undefined;
}

/** What is known of the answer to a message. */
export interface MessageAnswer {
  /** The revision of MCP that the client speaks. */
  readonly protocolVersion: string | undefined;
  /** The code of its error, if it is one. */
  readonly code?: number | undefined;
  /** The status of its response over HTTP, if the response has failed without a code. */
  readonly status?: number | undefined;
}

/** The part of a trace that a message is. */
export interface MessageSpan {
  /** Ends it. */
  end(answer: MessageAnswer): void;
}

/** Begins the span of a message. */
export type StartMessageSpan = (message: TracedMessage) => MessageSpan;

/** What begins spans. */
export interface Tracing {
  readonly startCall: StartSpan;
  readonly startMessage: StartMessageSpan;
}

/** Version, trace, parent and flags (W3C Trace Context, section 3.2). */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The ids in a `traceparent`, or `undefined` if it is not valid: it is then as if there were none. */
export function parseTraceparent(value: unknown):
  | { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
  | undefined {
  const found = typeof value === "string" ? TRACEPARENT.exec(value) : null;
  if (found === null) return undefined;
  const [, traceId = "", spanId = "", flags = ""] = found;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/**
 * Where a call belongs: `_meta.traceparent` (MCP specification, "Trace context"), else the header of
 * its request. What is not valid is ignored.
 */
export function traceparentOf(
  meta: Readonly<Record<string, unknown>> | undefined,
  header: string | null | undefined,
): string | undefined {
  for (const value of [meta?.traceparent, header]) {
    if (typeof value === "string" && parseTraceparent(value) !== undefined) return value;
  }
  return undefined;
}
