import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import {
  type CallSpan,
  type MessageSpan,
  parseTraceparent,
  type TracedCall,
  type TracedMessage,
  type Tracing,
} from "../tool/tracing.ts";
import type { CallOutcome } from "../tool/result.ts";

/**
 * Creates spans for calls and messages, with the names of the OpenTelemetry semantic conventions for
 * MCP; whoever embeds OpenTelemetry, such as Deno with `OTEL_DENO`, exports them.
 */
export function createTracing(version: string): Tracing {
  const tracer = trace.getTracer("trestle", version);
  const begin = (name: string, attributes: Attributes, traceparent: string | undefined) =>
    tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, within(traceparent));
  return {
    startCall: (call) => {
      const name = call.tool === undefined ? "tools/call" : `tools/call ${call.tool}`;
      return toCallSpan(begin(name, toCallAttributes(call), call.traceparent));
    },
    startMessage: (message) => {
      const { method, traceparent } = message;
      return toMessageSpan(begin(method, toAttributes(message), traceparent));
    },
  };
}

/** The client's part of a trace, else that of the request. */
function within(traceparent: string | undefined): Context {
  const parent = parseTraceparent(traceparent);
  return parent === undefined
    ? context.active()
    : trace.setSpanContext(context.active(), { ...parent, isRemote: true });
}

/** The longest id of a request that is sent. */
const MOST_ID_CHARS = 64;

function toAttributes(
  { method, transport, requestId }: Omit<TracedMessage, "traceparent">,
): Attributes {
  return {
    "mcp.method.name": method,
    "network.transport": transport === "mcp-stdio" ? "pipe" : "tcp",
    "trestle.transport": transport,
    ...(requestId === undefined
      ? {}
      : { "jsonrpc.request.id": String(requestId).slice(0, MOST_ID_CHARS) }),
  };
}

function toCallAttributes({ tool, transport, requestId, protocolVersion }: TracedCall): Attributes {
  const request = requestId === undefined ? {} : { requestId };
  return {
    ...toAttributes({ method: "tools/call", transport, ...request }),
    "gen_ai.operation.name": "execute_tool",
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
    ...(protocolVersion === undefined ? {} : { "mcp.protocol.version": protocolVersion }),
  };
}

function toMessageSpan(span: Span): MessageSpan {
  return {
    end: ({ protocolVersion, code, status }) => {
      if (protocolVersion !== undefined) {
        span.setAttribute("mcp.protocol.version", protocolVersion);
      }
      if (code !== undefined) span.setAttribute("rpc.response.status_code", String(code));
      const error = code ?? status;
      if (error !== undefined) {
        span.setAttribute("error.type", String(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function toCallSpan(span: Span): CallSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, "0");
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    end: (outcome) => {
      const type = errorType(outcome);
      if (type !== undefined) {
        span.setAttribute("error.type", type);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** The kind of refusal; a tool that reports its own failure is a `tool_error` (semantic conventions). */
function errorType(outcome: CallOutcome): string | undefined {
  if (outcome.ok) return undefined;
  return outcome.refusal.kind === "TOOL_FAILED" ? "tool_error" : outcome.refusal.kind;
}
