import { scopeOf } from "../access/scope.ts";
import { readJson } from "../http/request_body.ts";
import { type EventSender, eventStreamResponse } from "../http/response_body.ts";
import type { Handler, Sender } from "../http/http_server.ts";
import { type Parsed, problemBody, problemResponse, refuse, toProblem } from "../http/problem.ts";
import { within } from "../shared/deadline.ts";
import { quote } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import type { JobRequest } from "../tool/job_service.ts";
import { OutputDigest } from "../tool/command.ts";
import { parsePlacement } from "../tool/fleet.ts";
import type { CallOptions, ToolService } from "../tool/service.ts";
import type { CallOutcome } from "../tool/result.ts";
import { type JobStart, parseCallHeaders } from "./async_call.ts";
import { NOT_JSON, outcomeResponse, outputOf } from "./outcome_response.ts";

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

/**
 * Answers `POST /api`: carries out `{"tool": name, "args": {...}}`; `startJob` answers a call that is to
 * continue by itself.
 */
export function createToolCall(
  service: ToolService,
  startJob: JobStart,
  maxBodyBytes: number,
): Handler {
  return async (request, sender) => {
    const { caller, exchange } = sender;
    const way = parseCallHeaders(request.headers);
    if (!way.ok) return problemResponse(way.problem);
    const body = await readJson(request, { maxBytes: maxBodyBytes, exchange });
    if (!body.ok) return problemResponse(body.problem);
    const call = parseCall(body.value, way.value !== undefined);
    if (!call.ok) return problemResponse(call.problem);
    const { tool: name, args } = call.value;
    const tool = service.find(name, caller);
    const rejection = sender.rejectWithout(tool === undefined ? [] : [scopeOf(tool)]);
    if (rejection !== undefined) return rejection;
    const options = callOf(request, sender);
    if (way.value !== undefined) {
      return await startJob(call.value, way.value, sender, options.traceparent);
    }
    if (wantsEvents(request)) return streamCall(service, call.value, request, sender);
    return outcomeResponse(await service.call(name, args, options), exchange);
  };
}

function callOf({ headers }: Request, { caller, remoteAddr, client }: Sender): CallOptions {
  const traceparent = headers.get("traceparent") ?? undefined;
  return { transport: "http", caller, address: remoteAddr.hostname, client, traceparent };
}

function parseCall(body: unknown, isAsync: boolean): Parsed<JobRequest> {
  if (!isJsonObject(body)) {
    return refuse("BAD_REQUEST", 'The body must be {"tool": name, "args": {...}}');
  }
  const unknown = Object.keys(body).find((key) => !CALL_KEYS.has(key));
  if (unknown !== undefined) {
    const keys = [...CALL_KEYS].join(", ");
    return refuse(
      "BAD_REQUEST",
      `The body has an unknown key ${quote(unknown)}; the keys are ${keys}`,
    );
  }
  const { tool, args = {}, stdin = false, on, retries } = body;
  if (typeof tool !== "string") return refuse("BAD_REQUEST", '"tool" must be the name of a tool');
  if (!isJsonObject(args)) return refuse("BAD_REQUEST", '"args" must be an object');
  if (typeof stdin !== "boolean") return refuse("BAD_REQUEST", '"stdin" must be true or false');
  const parsed = parsePlacement({ on, retries });
  if (!parsed.ok) return refuse("BAD_REQUEST", parsed.detail);
  const needsJob = isAsync ? undefined : JOB_KEYS.find((key) => body[key]);
  if (needsJob !== undefined) {
    return refuse("BAD_REQUEST", `"${needsJob}" needs the header Prefer: respond-async`);
  }
  return { ok: true, value: { tool, args, stdin, ...parsed.placement } };
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
  { tool, args }: JobRequest,
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
    ...callOf(request, from),
    client: gone,
    onOutput: (event) => digest.add(event),
    onProgress: (update) => send("progress", update),
  });
  if (await within(work, REFUSAL_MS)) {
    const outcome = await work;
    if (!outcome.ok) return problemResponse(toProblem(outcome.refusal));
  }
  return eventStreamResponse(
    async (stream) => {
      sender = stream;
      for (const [event, data] of early) stream.send(event, data);
      const outcome = await work;
      digest.flush();
      endStream(stream, outcome);
    },
    () => gone.abort(),
    from.exchange,
  );
}

function endStream(stream: EventSender, outcome: CallOutcome): void {
  if (!outcome.ok) return stream.end("error", problemBody(toProblem(outcome.refusal)));
  try {
    stream.end("result", outputOf(outcome));
  } catch {
    stream.end("error", problemBody(NOT_JSON));
  }
}
