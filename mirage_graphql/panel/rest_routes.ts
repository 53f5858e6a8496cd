import type { MockRequest } from "../execution/graphql_request.ts";
import { breakConnection } from "../execution/broken_connection.ts";
import { unlessAborted } from "../shared/deadline.ts";
import { isObject } from "../shared/values.ts";
import type { FaultFailure, Faults } from "./faults.ts";
import { pathOf, type RecordedRequest, type Recorder } from "./recorder.ts";

/** Mirage's HTTP response: status, headers, body. */
type Rack = readonly [status: number, headers: Readonly<Record<string, string>>, body: string];

/** What a fetch interceptor of this package has for the panel. */
interface Inspectable {
  inspect(
    inspector?: (request: MockRequest, proceed: () => Promise<unknown>) => Promise<unknown>,
  ): void;
}

/** What is used of Pretender, Mirage's own interceptor in a page. */
interface Pretender {
  handleRequest(request: PretenderRequest): void;
}

/** A request that Pretender answers. */
interface PretenderRequest extends MockRequest {
  readonly status: number;
  readonly responseText: string;
  respond(status: number, headers: Readonly<Record<string, string>>, body: string): void;
  addEventListener(type: "loadend" | "abort", listener: () => void): void;
}

/**
 * Records the REST requests of a Mirage server, and delays and fails those that faults are for, until
 * the returned function is called: those of its own interceptor, and of this package's.
 */
export function watchRoutes(server: object, recorder: Recorder, faults: Faults): () => void {
  const interceptor: unknown = Reflect.get(server, "interceptor");
  const pretender: unknown = Reflect.get(server, "pretender");
  const stops: (() => void)[] = [];
  if (isInspectable(interceptor)) {
    interceptor.inspect((request, proceed) => runRoute({ recorder, faults }, request, proceed));
    stops.push(() => interceptor.inspect());
  }
  if (isPretender(pretender)) stops.push(watchPretender({ recorder, faults }, pretender));
  return () => stops.forEach((stop) => stop());
}

interface Watch {
  readonly recorder: Recorder;
  readonly faults: Faults;
}

function isInspectable(value: unknown): value is Inspectable {
  return isObject(value) && "inspect" in value && typeof value.inspect === "function";
}

function isPretender(value: unknown): value is Pretender {
  return isObject(value) && "handleRequest" in value && typeof value.handleRequest === "function";
}

/** Runs a route of a fetch interceptor. */
async function runRoute(
  { recorder, faults }: Watch,
  request: MockRequest,
  proceed: () => Promise<unknown>,
): Promise<unknown> {
  if (isGraphQL(recorder, request)) {
    const rack = await proceed();
    noteRejected(recorder, request, rack);
    return rack;
  }
  const recorded = start(recorder, request);
  try {
    await faults.wait("rest", recorded.name, request.signal);
    const failure = faults.failureOf("rest", recorded.name);
    const rack = failure === undefined
      ? await unlessAborted(proceed(), request.signal)
      : await failed(recorder, recorded, request, failure);
    finish(recorder, recorded, request, rack);
    return rack;
  } catch (error) {
    recorder.end(recorded, request.signal?.aborted ? "cancelled" : "failed");
    throw error;
  }
}

/** Watches what `XMLHttpRequest` sends; without a fetch interceptor, `fetch` uses it too. */
function watchPretender({ recorder, faults }: Watch, pretender: Pretender): () => void {
  const { handleRequest } = pretender;
  const handle = (request: PretenderRequest) => {
    const proceed = () => Reflect.apply(handleRequest, pretender, [request]);
    const answered = () => [request.status, {}, request.responseText];
    if (isGraphQL(recorder, request)) {
      request.addEventListener("loadend", () => noteRejected(recorder, request, answered()));
      return proceed();
    }
    const recorded = start(recorder, request);
    request.addEventListener("loadend", () => finish(recorder, recorded, request, answered()));
    request.addEventListener("abort", () => recorder.end(recorded, "cancelled"));
    const answer = () => {
      if (recorded.state !== "running") return;
      const failure = faults.failureOf("rest", recorded.name);
      if (failure === undefined) return proceed();
      failed(recorder, recorded, request, failure).then(([status, headers, body]) =>
        request.respond(status, { ...headers }, body)
      );
    };
    const delay = faults.wait("rest", recorded.name, undefined);
    if (delay === undefined) answer();
    else delay.then(answer);
  };
  pretender.handleRequest = handle;
  return () => {
    if (pretender.handleRequest === handle) pretender.handleRequest = handleRequest;
  };
}

function start(recorder: Recorder, request: MockRequest): RecordedRequest {
  const { method = "GET" } = request;
  return recorder.start({
    kind: "rest",
    name: `${method.toUpperCase()} ${routeOf(request)}`,
    type: method.toUpperCase(),
    transport: "HTTP",
    sent: parsed(request.requestBody),
  });
}

/** The path with the names of its dynamic segments, whose values Mirage passes to the route. */
function routeOf({ url = "", params = {} }: MockRequest): string {
  const names = new Map(Object.entries(params).map(([name, value]) => [String(value), name]));
  return pathOf(url).split("/").map((part) => {
    const name = names.get(decoded(part));
    return name === undefined ? part : `:${name}`;
  }).join("/");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Whether a request has operations, which are recorded instead: by where others have come, or by its
 * body.
 */
function isGraphQL({ paths }: Recorder, { url = "", requestBody }: MockRequest): boolean {
  if (paths.has(pathOf(url))) return true;
  if (typeof requestBody !== "string") return isForm(requestBody) && requestBody.has("operations");
  return DOCUMENT.test(requestBody);
}

/** A document, or the id of one, in a JSON body. */
const DOCUMENT = /"query"\s*:\s*"(?:[^"\\]|\\.)*\{|"(?:documentId|persistedQuery)"\s*:/;

/** Records a GraphQL request that was rejected before it had an operation. */
function noteRejected(recorder: Recorder, request: MockRequest, rack: unknown): void {
  const [status, , body]: readonly unknown[] = Array.isArray(rack) ? rack : [];
  const answer = parsed(body);
  if (recorder.carriers.has(request) || !isObject(answer)) return;
  if (!("errors" in answer) || "data" in answer) return;
  const recorded = start(recorder, request);
  recorder.respond(recorded, answer);
  recorder.end(recorded, "failed", Number(status));
}

function isForm(body: unknown): body is FormData {
  return typeof FormData === "function" && body instanceof FormData;
}

function finish(
  recorder: Recorder,
  recorded: RecordedRequest,
  request: MockRequest,
  rack: unknown,
): void {
  // it turned out to have operations
  if (recorder.carriers.has(request)) return recorder.forget(recorded);
  if (recorded.state !== "running") return;
  const [status, , body]: readonly unknown[] = Array.isArray(rack) ? rack : [];
  const code = Number(status);
  if (body !== undefined && body !== "") recorder.respond(recorded, parsed(body));
  recorder.end(recorded, code >= 200 && code < 400 ? "done" : "failed", code);
}

/** The response of a planned failure; it stays pending if there is none. */
async function failed(
  recorder: Recorder,
  recorded: RecordedRequest,
  request: MockRequest,
  failure: FaultFailure,
): Promise<Rack> {
  recorded.isPlanned = true;
  if (failure === "timeout") return await unlessAborted(new Promise(() => {}), request.signal);
  if (failure === "network") {
    recorder.end(recorded, "failed");
    return await unlessAborted(breakConnection(request), request.signal);
  }
  const status = typeof failure === "number" ? failure : 500;
  const message = failure instanceof Error ? failure.message : `HTTP status ${status}`;
  return [status, { "Content-Type": "application/json" }, JSON.stringify({ message })];
}

function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body ?? undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
