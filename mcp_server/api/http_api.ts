import { within } from "../shared/deadline.ts";
import { quote } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import type { JobRequest } from "../tool/job_service.ts";
import { scopeOf } from "../access/scope.ts";
import type { CallOptions, ToolService } from "../tool/service.ts";
import type { CallOutcome } from "../tool/result.ts";
import { readJson } from "../http/body.ts";
import type { DisconnectWatcher } from "../http/disconnect_watcher.ts";
import { type EventSender, eventStreamResponse } from "../http/event_stream.ts";
import { HttpClient } from "../http/http_client.ts";
import type { Handler, Sender } from "../http/http_server.ts";
import type { JobStart } from "./async_call.ts";
import { parseCallHeaders } from "./call_headers.ts";
import { parsePlacement } from "../tool/fleet.ts";
import { OutputDigest } from "../tool/command.ts";
import { jsonResponse } from "../http/paced_body.ts";
import { type Problem, problemBody, problemResponse, toProblem } from "../http/problem.ts";
import { NOT_JSON, outcomeResponse, outputOf } from "./outcome_response.ts";
import type { ScopeGuard } from "../http/scope_guard.ts";

/** At most how often, and how much of, the output is streamed. */
const STREAMING = { intervalMs: 100, maxChars: 64 * 1024 };

/**
 * How long the response waits for a refusal, whose status can be sent only before the stream
 * begins.
 */
const REFUSAL_MS = 90;

/** The keys of a call's body. */
const CALL_KEYS: ReadonlySet<string> = new Set(["tool", "args", "stdin", "on", "retries"]);
/** Those of a job only. */
const JOB_KEYS = ["stdin", "on", "retries"] as const;

/** Answers `GET /api/tools`: every tool with its JSON Schemas. */
export function createToolList(service: ToolService): Handler {
  return (_request, { caller, exchange }) =>
    jsonResponse({ tools: service.list(caller) }, exchange);
}

/** What `POST /api` needs. */
export interface ToolCallParts {
  readonly service: ToolService;
  readonly watch: DisconnectWatcher;
  readonly maxBodyBytes: number;
  readonly guard: ScopeGuard;
  /** Answers a call that is to continue by itself. */
  readonly startJob: JobStart;
}

/** Answers `POST /api`: carries out `{"tool": name, "args": {...}}`. */
export function createToolCall(parts: ToolCallParts): Handler {
  const { service, watch, maxBodyBytes, guard, startJob } = parts;
  return async (request, sender) => {
    const { caller, exchange } = sender;
    const way = parseCallHeaders(request.headers);
    if (!way.ok) return problemResponse(way.problem);
    const body = await readJson(request, { maxBytes: maxBodyBytes, exchange });
    if (!body.ok) return problemResponse(body.problem);
    const call = parseCall(body.value, way.isAsync);
    if (!call.ok) return problemResponse(call.problem);
    const tool = service.find(call.tool, caller);
    const rejection = guard(sender, tool === undefined ? [] : [scopeOf(tool)]);
    if (rejection !== undefined) return rejection;
    using client = new HttpClient(request, sender, watch);
    const trace = traceOf(request);
    if (way.isAsync) {
      const { hostname: address } = sender.remoteAddr;
      const { occupy } = sender;
      return await startJob(call, way, { client, caller, address, exchange, occupy, ...trace });
    }
    if (wantsEvents(request)) return streamCall(service, call, request, sender);
    const options = { ...callOf(sender), client, ...trace };
    const outcome = await service.call(call.tool, call.args, options);
    return outcomeResponse(outcome, exchange);
  };
}

/** What every call has in common that a sender makes over HTTP. */
function callOf(
  { caller, remoteAddr }: Sender,
): Pick<CallOptions, "transport" | "caller" | "address"> {
  return { transport: "http", caller, address: remoteAddr.hostname };
}

type ParsedCall =
  | ({ readonly ok: true } & JobRequest)
  | { readonly ok: false; readonly problem: Problem };

function parseCall(body: unknown, isAsync: boolean): ParsedCall {
  if (!isJsonObject(body)) return badCall('The body must be {"tool": name, "args": {...}}');
  const unknown = Object.keys(body).find((key) => !CALL_KEYS.has(key));
  if (unknown !== undefined) {
    return badCall(
      `The body has an unknown key ${quote(unknown)}; the keys are ${[...CALL_KEYS].join(", ")}`,
    );
  }
  const { tool, args = {}, stdin = false, on, retries } = body;
  if (typeof tool !== "string") return badCall('"tool" must be the name of a tool');
  if (!isJsonObject(args)) return badCall('"args" must be an object');
  if (typeof stdin !== "boolean") return badCall('"stdin" must be true or false');
  const parsed = parsePlacement({ on, retries });
  if (!parsed.ok) return badCall(parsed.detail);
  const needsJob = isAsync ? undefined : JOB_KEYS.find((key) => body[key]);
  if (needsJob !== undefined) {
    return badCall(`"${needsJob}" needs the header Prefer: respond-async`);
  }
  return { ok: true, tool, args, stdin, ...parsed.placement };
}

function badCall(detail: string): ParsedCall {
  return { ok: false, problem: { status: 400, code: "BAD_REQUEST", detail } };
}

/** Where the request belongs in the trace of its client (W3C Trace Context). */
function traceOf({ headers }: Request): Pick<CallOptions, "traceparent"> {
  const traceparent = headers.get("traceparent");
  return traceparent === null ? {} : { traceparent };
}

function wantsEvents(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/event-stream") ?? false;
}

/**
 * Streams a call. A call that is rejected immediately is answered with the refusal's own status;
 * once the stream has begun, an `error` event reports it.
 */
async function streamCall(
  service: ToolService,
  { tool, args }: ParsedCall & { ok: true },
  request: Request,
  from: Sender,
): Promise<Response> {
  const { signal } = request;
  const gone = new AbortController();
  signal.addEventListener("abort", () => gone.abort(signal.reason), { once: true });
  const early: [event: string, data: unknown][] = [];
  let sender: EventSender | undefined;
  const send = (event: string, data: unknown) => {
    if (sender === undefined) early.push([event, data]);
    else sender.send(event, data);
  };
  const digest = new OutputDigest({
    ...STREAMING,
    emit: ({ stream, ...rest }) => send(stream, rest),
  });
  const work = service.call(tool, args, {
    ...callOf(from),
    client: gone,
    ...traceOf(request),
    onOutput: (event) => digest.add(event),
    onProgress: (update) => send("progress", update),
  });
  if (await within(work, REFUSAL_MS)) {
    const outcome = await work;
    if (!outcome.ok) return problemResponse(toProblem(outcome.refusal));
  }
  return eventStreamResponse(async (stream) => {
    sender = stream;
    for (const [event, data] of early) stream.send(event, data);
    const outcome = await work;
    digest.flush();
    endStream(stream, outcome);
  }, { onGone: () => gone.abort(), pace: from.exchange });
}

function endStream(stream: EventSender, outcome: CallOutcome): void {
  if (!outcome.ok) return stream.end("error", problemBody(toProblem(outcome.refusal)));
  try {
    stream.end("result", outputOf(outcome));
  } catch {
    stream.end("error", problemBody(NOT_JSON));
  }
}
