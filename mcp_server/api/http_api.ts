import { scopeOf } from "../access/caller.ts";
import {
  type EventSender,
  eventStreamResponse,
  jsonResponse,
  type Pace,
  readJson,
} from "../http/body.ts";
import type { Handler, Sender } from "../http/http_server.ts";
import {
  type Parsed,
  problemBody,
  problemOf,
  problemResponse,
  refuse,
  toProblem,
} from "../http/problem.ts";
import { within } from "../shared/concurrency.ts";
import { quote } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import { isFinal, parsePlacement } from "../tool/job.ts";
import type { JobRequest } from "../tool/job_service.ts";
import { OutputDigest } from "../tool/command.ts";
import type { CallOptions, JobHost, ToolService } from "../tool/service.ts";
import { type CallOutcome, outputOf } from "../tool/result.ts";
import { MOST_WAIT_SECONDS, waitForChange } from "./job_resource.ts";

/** At most how often, and how much of, the output is streamed. */
const STREAMING = { intervalMs: 100, maxChars: 64 * 1024 };

/**
 * How long the response waits for a refusal, whose status can be sent only before the stream
 * begins.
 */
const REFUSAL_MS = 90;

/** The keys of a call's body. */
const CALL_KEYS: ReadonlySet<string> = new Set(
  ["tool", "args", "title", "stdin", "tty", "on", "retries"],
);
/** What a call says of its place, unless it says something. */
const NOT_PLACED = { ok: true, placement: {} } as const;
/** Those of a job only. */
const JOB_KEYS = ["title", "stdin", "tty", "on", "retries"] as const;

/** What `POST /api` works with. */
interface ToolCallParts {
  readonly service: ToolService;
  readonly jobs: JobHost;
  readonly maxBodyBytes: number;
  /** Ends waits that would outlast the server. */
  readonly closing: AbortSignal;
}

/**
 * Answers `POST /api`: carries out `{"tool": name, "args": {...}}`, as a call, or as a job if the client
 * sends `Prefer: respond-async`.
 */
export function createToolCall(parts: ToolCallParts): Handler {
  const { service, maxBodyBytes } = parts;
  return async (request, sender) => {
    const { caller, exchange } = sender;
    const way = parseCallHeaders(request.headers);
    if (!way.ok) return problemResponse(way.problem);
    const body = await readJson(request, { maxBytes: maxBodyBytes, exchange });
    if (!body.ok) return problemResponse(body.problem);
    const call = parseCall(body.value, way.value !== undefined);
    if (!call.ok) return problemResponse(call.problem);
    const { tool: name, args } = call.value;
    const tool = await service.find(name, caller);
    const rejection = sender.rejectWithout(tool === undefined ? [] : [scopeOf(tool)]);
    if (rejection !== undefined) return rejection;
    if (way.value !== undefined) {
      return await startJob(call.value, way.value, sender, parts);
    }
    if (wantsEvents(request)) return streamCall(service, call.value, request, sender);
    return outcomeResponse(await service.call(name, args, callOf(request, sender)), exchange);
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
  const { tool, args = {}, title, stdin = false, tty = false, on, retries } = body;
  if (typeof tool !== "string") return refuse("BAD_REQUEST", '"tool" must be the name of a tool');
  if (!isJsonObject(args)) return refuse("BAD_REQUEST", '"args" must be an object');
  if (title !== undefined && typeof title !== "string") {
    return refuse("BAD_REQUEST", '"title" must be a text');
  }
  if (typeof stdin !== "boolean") return refuse("BAD_REQUEST", '"stdin" must be true or false');
  const terminal = parseTerminal(tty);
  if (terminal === undefined) {
    return refuse("BAD_REQUEST", '"tty" must be true, false or {"rows": 24, "cols": 80}');
  }
  const parsed = on === undefined && retries === undefined
    ? NOT_PLACED
    : parsePlacement({ on, retries });
  if (!parsed.ok) return refuse("BAD_REQUEST", parsed.detail);
  const needsJob = isAsync ? undefined : JOB_KEYS.find((key) => body[key]);
  if (needsJob !== undefined) {
    return refuse("BAD_REQUEST", `"${needsJob}" needs the header Prefer: respond-async`);
  }
  return { ok: true, value: { tool, args, title, stdin, tty: terminal, ...parsed.placement } };
}

function parseTerminal(tty: unknown): JobRequest["tty"] {
  if (typeof tty === "boolean") return tty;
  const { rows, cols, ...rest } = isJsonObject(tty) ? tty : {};
  const isWhole = Object.keys(rest).length === 0;
  return isWhole && typeof rows === "number" && typeof cols === "number"
    ? { rows, cols }
    : undefined;
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
    stream.end("result", outputOf(outcome.result));
  } catch {
    stream.end("error", problemBody(NOT_JSON));
  }
}

/** How a call becomes a job. */
interface AsyncWay {
  /** How long the response waits for the end of the job; absent if the client does not say. */
  readonly waitSeconds?: number | undefined;
  /** The same key starts one job only. */
  readonly idempotencyKey?: string | undefined;
  /** Where the job belongs in the trace of its client. */
  readonly traceparent?: string | undefined;
}

/** When a client that does not wait should ask again, in seconds. */
const RETRY_SECONDS = "1";

/**
 * Answers `POST /api` with `Prefer: respond-async`: 202 with the job, or what the plain call answers if
 * the job ends within the wait. A client that disconnects does not end the job.
 */
async function startJob(
  call: JobRequest,
  { waitSeconds, idempotencyKey, traceparent }: AsyncWay,
  sender: Sender,
  { jobs: host, closing }: ToolCallParts,
): Promise<Response> {
  const { caller, remoteAddr, client, exchange, occupy } = sender;
  const jobs = host.forCaller(caller, remoteAddr.hostname, "http");
  const timeoutMs = 1_000 * (waitSeconds ?? 0);
  using _place = timeoutMs === 0 ? undefined : occupy();
  const meta = traceparent === undefined ? undefined : { traceparent };
  const { job } = await jobs.start(call, { idempotencyKey, meta });
  const last = timeoutMs === 0 || isFinal(job.state) ? job : await waitForChange(jobs, job.id, {
    timeoutMs,
    untilEnd: true,
    signal: AbortSignal.any([client.signal, closing]),
  });
  const wait = waitSeconds === undefined ? "" : `, wait=${waitSeconds}`;
  const headers = {
    "location": `/api/jobs/${job.id}`,
    "preference-applied": `respond-async${wait}`,
  };
  if (!isFinal(last.state)) {
    const retry = { ...headers, "retry-after": RETRY_SECONDS };
    return jsonResponse(last, exchange, { status: 202, headers: retry });
  }
  const outcome = await jobs.outcome(job.id);
  if (outcome === undefined) throw new Error(`Cannot find the outcome of the job "${job.id}"`);
  const response = outcomeResponse(outcome, exchange);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** The longest `Idempotency-Key`. */
const MOST_KEY = 255;

/** Reads `Prefer` (RFC 7240) and `Idempotency-Key` of a call; no value if it is answered at once. */
function parseCallHeaders(headers: Headers): Parsed<AsyncWay | undefined> {
  const prefer = headers.get("prefer");
  const key = headers.get("idempotency-key");
  if (prefer === null && key === null) return { ok: true, value: undefined };
  const { respondAsync, waitSeconds } = parsePrefer(prefer ?? "");
  if (!respondAsync) {
    return key === null
      ? { ok: true, value: undefined }
      : refuse("BAD_REQUEST", "Idempotency-Key needs the header Prefer: respond-async");
  }
  if (key !== null && (key === "" || key.length > MOST_KEY)) {
    const detail = `Idempotency-Key has ${key.length} characters; it must have 1 to ${MOST_KEY}`;
    return refuse("BAD_REQUEST", detail);
  }
  const traceparent = headers.get("traceparent") ?? undefined;
  return { ok: true, value: { waitSeconds, idempotencyKey: key ?? undefined, traceparent } };
}

/** What a client prefers, of what the server knows. */
export interface Preferences {
  /** Whether the answer may come later. */
  readonly respondAsync: boolean;
  /** How long it may come late, in seconds; at most {@linkcode MOST_WAIT_SECONDS}. */
  readonly waitSeconds?: number;
}

/** Parts between commas; a comma within quotes is none. It matches any text in linear time. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
const SECONDS = /^\d+$/;

/**
 * Reads a `Prefer` header (RFC 7240, section 2): of a preference that is repeated, the first one
 * counts; names are case-insensitive, values may be quoted, and what is unknown is ignored.
 */
export function parsePrefer(header: string): Preferences {
  const preferences = new Map<string, string>();
  for (const [preference] of header.matchAll(PREFERENCE)) {
    const [main = ""] = preference.split(";", 1);
    const equals = main.indexOf("=");
    const name = (equals < 0 ? main : main.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? "" : main.slice(equals + 1).trim();
    if (!preferences.has(name)) preferences.set(name, value.replace(/^"(.*)"$/, "$1"));
  }
  const wait = preferences.get("wait") ?? "";
  return {
    respondAsync: preferences.has("respond-async"),
    ...(SECONDS.test(wait) ? { waitSeconds: Math.min(Number(wait), MOST_WAIT_SECONDS) } : {}),
  };
}

/** The problem of a tool whose output can't be sent. */
const NOT_JSON = problemOf(
  "TOOL_CRASHED",
  "The tool returned something that is not JSON; its author has to correct it",
);

/** Answers with the output of a call, or with the problem that it is. */
function outcomeResponse(outcome: CallOutcome, pace: Pace): Response {
  if (!outcome.ok) return problemResponse(toProblem(outcome.refusal));
  try {
    return jsonResponse(outputOf(outcome.result), pace);
  } catch {
    return problemResponse(NOT_JSON);
  }
}
