import type { Executor } from "../request/executor.ts";
import type { MockRequest } from "../request/graphql_request.ts";
import { headerOf, type ParseOptions, parseRequest } from "../request/http_request.ts";
import { completeRequest, toHttpResponse } from "../request/http_response.ts";
import { incrementalSpecOf } from "../request/media_types.ts";
import { isIncremental } from "../schema/incremental_directives.ts";
import { toResponse } from "./fetch_messages.ts";

/** How requests are answered in parts. */
export interface PartsHandlerOptions extends ParseOptions {
  /**
   * Milliseconds before each part but the first.
   * @default {0}
   */
  readonly deferLatency?: number;
}

/**
 * Answers a document with `@defer` or `@stream`; `undefined` if the response has one part, also
 * because the client reads no other.
 */
export async function answerInParts(
  executor: Executor,
  request: MockRequest,
  { deferLatency = 0, ...parseOptions }: PartsHandlerOptions = {},
): Promise<Response | undefined> {
  const spec = incrementalSpecOf(headerOf(request, "accept") ?? null);
  if (spec === undefined) return undefined;
  const parsed = parseRequest(request, parseOptions);
  if (parsed.kind === "refusal" || parsed.isBatch) return undefined;
  const [received] = parsed.requests;
  const one = received && await completeRequest(executor, received);
  if (one === undefined || "kind" in one || !isIncremental(one.query)) return undefined;
  const { executeParts } = await import("../incremental/execute_parts.ts");
  const outcome = await executeParts(executor, one, { request, spec });
  if (outcome?.kind !== "parts") {
    return outcome && await toResponse(toHttpResponse(outcome, "application/json"));
  }
  const { partsResponse } = await import("./parts_response.ts");
  return partsResponse(outcome, { deferLatency, signal: request.signal });
}
