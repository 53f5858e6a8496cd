import {
  type Attributes,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import {
  type CallSpan,
  parseTraceparent,
  type StartSpan,
  type TracedCall,
} from "../../domain/call_span.ts";
import type { CallOutcome } from "../../domain/service.ts";

/**
 * Creates spans for calls, with the names of the OpenTelemetry semantic conventions for MCP; whoever
 * embeds OpenTelemetry, such as Deno with `OTEL_DENO`, exports them.
 */
export function createStartSpan(version: string): StartSpan {
  const tracer = trace.getTracer("trestle", version);
  return (call) => {
    const parent = parseTraceparent(call.traceparent);
    const within = parent === undefined
      ? context.active()
      : trace.setSpanContext(context.active(), { ...parent, isRemote: true });
    const name = call.tool === undefined ? "tools/call" : `tools/call ${call.tool}`;
    const options = { kind: SpanKind.SERVER, attributes: toAttributes(call) };
    return toCallSpan(tracer.startSpan(name, options, within));
  };
}

function toAttributes({ tool, transport, requestId }: TracedCall): Attributes {
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "network.transport": transport === "mcp-stdio" ? "pipe" : "tcp",
    "trestle.transport": transport,
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
    ...(requestId === undefined ? {} : { "jsonrpc.request.id": String(requestId).slice(0, 64) }),
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
