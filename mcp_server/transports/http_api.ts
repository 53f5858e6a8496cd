import { within } from "../domain/deadline.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import type { CallOutcome, ToolService } from "../domain/service.ts";
import { readJson } from "./body.ts";
import type { DisconnectWatcher, Peer } from "./disconnect_watcher.ts";
import { type EventSender, eventStreamResponse } from "./event_stream.ts";
import type { RequestContext } from "./http_listener.ts";
import type { Handler, Sender } from "./http_server.ts";
import { OutputDigest } from "./output_digest.ts";
import { jsonResponse, type Pace } from "./paced_body.ts";
import { type Problem, problemBody, problemResponse, toProblem } from "./problem.ts";

/** At most how often, and how much of, the output is streamed. */
const STREAMING = { intervalMs: 100, maxChars: 64 * 1024 };

/**
 * How long the response waits for a refusal, whose status can be sent only before the stream
 * begins.
 */
const REFUSAL_MS = 90;

const NOT_JSON: Problem = {
  status: 500,
  code: "TOOL_CRASHED",
  detail: "The tool returned something that is not JSON",
};

/** Answers `GET /api/tools`: every tool with its JSON Schemas. */
export function createToolList(service: ToolService): Handler {
  return (_request, { exchange }) => jsonResponse({ tools: service.list() }, exchange);
}

/** Answers `POST /api`: carries out `{"tool": name, "args": {...}}`. */
export function createToolCall(
  service: ToolService,
  watch: DisconnectWatcher,
  maxBodyBytes: number,
): Handler {
  return async (request, sender) => {
    const { caller, exchange } = sender;
    const body = await readJson(request, { maxBytes: maxBodyBytes, exchange });
    if (!body.ok) return problemResponse(body.problem);
    const call = parseCall(body.value);
    if (!call.ok) return problemResponse(call.problem);
    if (wantsEvents(request)) return streamCall(service, call, request.signal, sender);
    using client = new HttpClient(request, sender, watch);
    const who = caller === undefined ? {} : { caller };
    const outcome = await service.call(call.tool, call.args, { transport: "http", client, ...who });
    return toResponse(outcome, exchange);
  };
}

type ParsedCall =
  | { readonly ok: true; readonly tool: string; readonly args: unknown }
  | { readonly ok: false; readonly problem: Problem };

function parseCall(body: unknown): ParsedCall {
  if (!isJsonObject(body)) return badCall('The body must be {"tool": name, "args": {...}}');
  const unknown = Object.keys(body).find((key) => key !== "tool" && key !== "args");
  if (unknown !== undefined) {
    return badCall(`The body has an unknown key "${unknown.slice(0, 100)}"`);
  }
  const { tool, args = {} } = body;
  if (typeof tool !== "string") return badCall('"tool" must be the name of a tool');
  if (!isJsonObject(args)) return badCall('"args" must be an object');
  return { ok: true, tool, args };
}

function badCall(detail: string): ParsedCall {
  return { ok: false, problem: { status: 400, code: "BAD_REQUEST", detail } };
}

function wantsEvents(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/event-stream") ?? false;
}

function outputOf({ result }: CallOutcome & { ok: true }): JsonObject | { content: unknown } {
  return result.structuredContent ?? { content: result.content };
}

function toResponse(outcome: CallOutcome, pace: Pace): Response {
  if (!outcome.ok) return problemResponse(toProblem(outcome.refusal));
  try {
    return jsonResponse(outputOf(outcome), pace);
  } catch {
    return problemResponse(NOT_JSON);
  }
}

/**
 * Streams a call. A call that is rejected immediately is answered with the refusal's own status;
 * once the stream has begun, an `error` event reports it.
 */
async function streamCall(
  service: ToolService,
  { tool, args }: ParsedCall & { ok: true },
  signal: AbortSignal,
  { caller, exchange }: Sender,
): Promise<Response> {
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
    transport: "http",
    client: gone,
    ...(caller === undefined ? {} : { caller }),
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
  }, { onGone: () => gone.abort(), pace: exchange });
}

function endStream(stream: EventSender, outcome: CallOutcome): void {
  if (!outcome.ok) return stream.end("error", problemBody(toProblem(outcome.refusal)));
  try {
    stream.end("result", outputOf(outcome));
  } catch {
    stream.end("error", problemBody(NOT_JSON));
  }
}

/**
 * The client of one HTTP request, whose signal aborts when it disconnects. The signal is created
 * only on first use, because most requests are answered before.
 */
class HttpClient implements Disposable {
  readonly #request: Request;
  readonly #remoteAddr: Peer;
  readonly #watch: DisconnectWatcher;
  #signal: AbortSignal | undefined;
  #watching: Disposable | undefined;

  /** Takes the request, its origin, and the watcher of disconnected clients. */
  constructor(request: Request, { remoteAddr }: RequestContext, watch: DisconnectWatcher) {
    this.#request = request;
    this.#remoteAddr = remoteAddr;
    this.#watch = watch;
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    return this.#signal ??= this.#listen();
  }

  /** Stops watching the client, which has been answered. */
  [Symbol.dispose](): void {
    this.#watching?.[Symbol.dispose]();
  }

  #listen(): AbortSignal {
    const controller = new AbortController();
    const onGone = () =>
      controller.abort(new DOMException("The client disconnected", "AbortError"));
    this.#request.signal.addEventListener("abort", onGone, { once: true });
    this.#watching = this.#watch.watch(this.#remoteAddr, onGone);
    return controller.signal;
  }
}
