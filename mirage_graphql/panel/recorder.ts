import type { DocumentNode, ExecutionResult, GraphQLError } from "graphql";
import type { MockRequest, PromiseOrValue } from "../execution/graphql_request.ts";
import { isPromise } from "../shared/values.ts";
import type {
  ExplainOperation,
  Explanation,
  InspectedOperation,
  Inspector,
  StartedResults,
} from "../execution/inspector.ts";
import type { Outcome } from "../execution/outcome.ts";
import { unresolvedOf } from "../shared/unresolved_field.ts";
import type { Faults } from "./faults.ts";

/** What has become of a request. */
export type RequestState = "running" | "done" | "failed" | "cancelled";

/** A request that the mock, or a REST route of its server, has answered or is about to answer. */
export interface RecordedRequest {
  readonly id: number;
  readonly kind: "graphql" | "rest" | "stream";
  /** Name of the operation, or `METHOD /path`. */
  readonly name: string;
  /** `query`, `mutation` or `subscription`; the method of a REST request. */
  readonly type: string;
  /** The document of an operation. */
  readonly document?: DocumentNode;
  /** The variables, or the body of a REST request. */
  readonly sent: unknown;
  /** `WebSocket` and the like. */
  readonly transport: string;
  state: RequestState;
  /** HTTP status of a REST response, or of a refusal. */
  status?: number | undefined;
  /** Milliseconds from the start to the end, or to the latest result. */
  duration?: number;
  /** The responses: one, or the latest results of a stream. */
  responses: unknown[];
  /** How many results a stream has had. */
  count: number;
  /** Whether a field needs a resolver. */
  isRefused: boolean;
  /** Whether a fault of the panel has answered it. */
  isPlanned: boolean;
  /** What has answered it; REST routes have no more to say. */
  explain?: (() => Promise<Explanation>) | undefined;
}

/** A WebSocket that is, or was, open. */
export interface RecordedSocket {
  readonly id: number;
  readonly protocol: string;
  readonly url: string;
  isOpen: boolean;
}

/** How many requests, streams, sockets, and results of one stream are kept. */
export const MOST_KEPT = { requests: 100, streams: 50, sockets: 50, results: 50 } as const;

/** Keeps what a mock does, the latest first, and notifies of changes. */
export class Recorder {
  /** The requests, without streams. */
  readonly requests: RecordedRequest[] = [];
  readonly streams: RecordedRequest[] = [];
  readonly sockets: RecordedSocket[] = [];
  /** Called after each change. */
  onChange: () => void = () => {};
  /** Called before the first request. */
  onFirst: () => void = () => {};
  /** The HTTP requests that have carried operations. */
  readonly carriers = new WeakSet<MockRequest>();
  /** Where operations arrive. */
  readonly paths = new Set<string>();
  readonly #starts = new WeakMap<RecordedRequest, number>();
  #lastId = 0;

  /** Adds a request that starts. */
  start(
    parts:
      & Pick<RecordedRequest, "kind" | "name" | "type" | "sent" | "transport">
      & Partial<RecordedRequest>,
  ): RecordedRequest {
    if (this.#lastId === 0) this.onFirst();
    const request: RecordedRequest = {
      id: ++this.#lastId,
      state: "running",
      responses: [],
      count: 0,
      isRefused: false,
      isPlanned: false,
      ...parts,
    };
    this.#starts.set(request, performance.now());
    const list = request.kind === "stream" ? this.streams : this.requests;
    list.unshift(request);
    list.splice(request.kind === "stream" ? MOST_KEPT.streams : MOST_KEPT.requests);
    this.onChange();
    return request;
  }

  /** Adds a response, or a result of a stream. */
  respond(request: RecordedRequest, response: unknown): void {
    request.responses.push(response);
    request.count++;
    if (request.responses.length > MOST_KEPT.results) request.responses.shift();
    this.#touch(request);
  }

  /** Ends a request. */
  end(request: RecordedRequest, state: RequestState, status?: number): void {
    request.state = state;
    if (status !== undefined) request.status = status;
    this.#touch(request);
  }

  /** Removes a request that was something else: the HTTP request of an operation. */
  forget(request: RecordedRequest): void {
    const at = this.requests.indexOf(request);
    if (at >= 0) this.requests.splice(at, 1);
    this.onChange();
  }

  /** Removes all that has ended. */
  clear(): void {
    for (const list of [this.requests, this.streams]) {
      list.splice(0, list.length, ...list.filter(({ state }) => state === "running"));
    }
    this.sockets.splice(0, this.sockets.length, ...this.sockets.filter(({ isOpen }) => isOpen));
    this.onChange();
  }

  /** Adds a socket that opens; returns the function to call when it has closed. */
  open({ protocol, request }: { readonly protocol: string; readonly request: MockRequest }) {
    const socket = { id: ++this.#lastId, protocol, url: request.url ?? "", isOpen: true };
    this.sockets.unshift(socket);
    this.sockets.splice(MOST_KEPT.sockets);
    this.onChange();
    return (): void => {
      socket.isOpen = false;
      this.onChange();
    };
  }

  #touch(request: RecordedRequest): void {
    request.duration = performance.now() - (this.#starts.get(request) ?? 0);
    this.onChange();
  }
}

/** Records a mock's operations, and delays and fails those that faults are for. */
export function createInspector(
  recorder: Recorder,
  faults: Faults,
  explain: ExplainOperation | undefined,
): Inspector {
  const started = new WeakMap<InspectedOperation, RecordedRequest>();
  const start = (operation: InspectedOperation, kind: "graphql" | "stream") => {
    const { info, request, selected } = operation;
    recorder.carriers.add(request);
    if (request.url !== undefined) recorder.paths.add(pathOf(request.url));
    const recorded = recorder.start({
      kind,
      name: info.name ?? "(anonymous)",
      type: info.type,
      sent: info.variables,
      document: selected.checked.document,
      transport: transportOf(request),
    });
    started.set(operation, recorded);
    recorded.explain = explain &&
      (() => explain(selected, errorsOf(recorded), info.variables));
    return recorded;
  };
  const delayed = <Value>(
    { info, request }: InspectedOperation,
    proceed: () => PromiseOrValue<Value>,
  ): PromiseOrValue<Value> => {
    const delay = faults.wait("graphql", info.name, request.signal);
    return delay === undefined ? proceed() : delay.then(proceed);
  };
  return {
    run(operation, proceed) {
      const recorded = start(operation, "graphql");
      return during(recorder, recorded, () => delayed(operation, proceed), (outcome) => {
        note(recorder, recorded, outcome);
        return outcome;
      });
    },
    subscribe(operation, proceed) {
      const recorded = start(operation, "stream");
      return during(
        recorder,
        recorded,
        () => delayed(operation, proceed),
        (started) => watch(recorder, recorded, started),
      );
    },
    fail: (operation) => {
      const failure = faults.failureOf("graphql", operation.info.name);
      if (failure === undefined) return undefined;
      const recorded = started.get(operation) ?? start(operation, "stream");
      recorded.isPlanned = true;
      // the others end with their outcome
      if (recorded.kind === "stream") recorder.end(recorded, "failed");
      return failure;
    },
    connect: (socket) => recorder.open(socket),
  };
}

/** Converts what a request returns, at once if that is no promise, and records if it fails. */
function during<Value>(
  recorder: Recorder,
  recorded: RecordedRequest,
  act: () => PromiseOrValue<Value>,
  convert: (value: Value) => Value,
): PromiseOrValue<Value> {
  const fail = (error: unknown): never => {
    recorder.end(recorded, "cancelled");
    throw error;
  };
  try {
    const value = act();
    return isPromise(value) ? value.then(convert, fail) : convert(value);
  } catch (error) {
    return fail(error);
  }
}

function note(recorder: Recorder, recorded: RecordedRequest, outcome: Outcome): void {
  if (outcome.kind === "refusal") {
    recorder.respond(recorded, { errors: [{ message: outcome.reason }] });
    recorder.end(recorded, "failed", outcome.status);
  } else if (outcome.kind === "response") {
    const { response } = outcome;
    const status = "status" in response ? response.status : undefined;
    recorder.respond(recorded, "A Response that a resolver or a planned failure has created");
    recorder.end(recorded, "failed", status === 0 ? undefined : status);
  } else {
    addResult(recorder, recorded, outcome.result);
    recorder.end(recorded, outcome.result.errors?.length ? "failed" : "done");
  }
}

function addResult(recorder: Recorder, recorded: RecordedRequest, result: ExecutionResult): void {
  recorded.isRefused ||= result.errors?.some((error) => unresolvedOf(error) !== undefined) ?? false;
  recorder.respond(recorded, result);
}

/** Records the results of a subscription as they are read. */
function watch(
  recorder: Recorder,
  recorded: RecordedRequest,
  started: StartedResults,
): StartedResults {
  if (!isIterator(started)) {
    addResult(recorder, recorded, started);
    recorder.end(recorded, "failed");
    return started;
  }
  return {
    async next() {
      try {
        const result = await started.next();
        if (result.done) recorder.end(recorded, "done");
        else addResult(recorder, recorded, result.value);
        return result;
      } catch (error) {
        recorder.end(recorded, "failed");
        throw error;
      }
    },
    async return(value) {
      recorder.end(recorded, "done");
      return await started.return?.(value) ?? { done: true, value };
    },
  };
}

function isIterator(started: StartedResults): started is AsyncIterator<ExecutionResult> {
  return "next" in started && typeof started.next === "function";
}

function errorsOf({ responses }: RecordedRequest): readonly GraphQLError[] {
  const results = responses as readonly ExecutionResult[];
  return results.flatMap(({ errors }) => errors ?? []);
}

/** The path of an address, relative or absolute. */
export function pathOf(url: string): string {
  return new URL(url, "http://localhost").pathname;
}

function transportOf({ connectionParams, requestHeaders = {}, method }: MockRequest): string {
  if (connectionParams !== undefined) return "WebSocket";
  const accept = Object.entries(requestHeaders)
    .find(([name]) => name.toLowerCase() === "accept")?.[1] ?? "";
  if (accept.includes("text/event-stream")) return "server-sent events";
  if (accept.includes("multipart/mixed")) return "multipart";
  return method ?? "call";
}
