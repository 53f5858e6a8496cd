import { type ExecutionResult, GraphQLError, subscribe as subscribeToDocument } from "graphql";
import { type Deliver, type Executor, orRefusal } from "../execution/executor.ts";
import type {
  ExecutableRequest,
  MockRequest,
  PromiseOrValue,
} from "../execution/graphql_request.ts";
import { isPromise } from "../shared/values.ts";
import { isNetworkError, type Outcome } from "../execution/outcome.ts";
import { breakConnection } from "../execution/broken_connection.ts";
import { LocalOperation, type PendingOperation } from "../execution/run_operation.ts";
import { ResultStream, type StartedSubscription } from "./result_stream.ts";

/** Delivers a subscription as the stream of its results, unless it is planned to fail. */
export function deliverSubscription(
  pending: PendingOperation,
  signal: AbortSignal | undefined,
): PromiseOrValue<Outcome> | ResultStream | undefined {
  if (!isSubscription(pending)) return undefined;
  return pending.fail(signal) ?? new ResultStream(start(pending), signal);
}

/**
 * Delivers each operation as a stream, for connections that carry several of them: a query or a
 * mutation is a stream of one result, which runs when it is read, and what would be an HTTP status
 * is an error. The stream's `return()` ends the operation.
 */
function deliverStream(pending: PendingOperation): ResultStream {
  const ending = new AbortController();
  const { signal } = ending;
  if (!isSubscription(pending)) {
    const one = pending instanceof LocalOperation
      ? pending.with({ request: { ...pending.request, signal } })
      : pending;
    return once(() => orRefusal(signal, () => one.start(signal)), pending.request, ending);
  }
  const failure = pending.fail(signal);
  if (failure === undefined) return new ResultStream(start(pending));
  // it rejects if the operation ends before its result is read
  if (isPromise(failure)) failure.catch(() => {});
  return once(() => failure, pending.request, ending);
}

/** How a connection that carries several operations runs each of them. */
export const SHARED_CONNECTION = { deliver: deliverStream, isShared: true };

/** What one subscription adds to its request. */
export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
  /** The HTTP request in the resolvers' context, such as `{ requestHeaders }`. */
  readonly request?: MockRequest;
}

/** Starts a subscription at once; if it is rejected, the only result has the errors. */
export function subscribe(
  executor: Executor,
  one: ExecutableRequest,
  { request = {}, signal }: SubscribeOptions = {},
): ResultStream {
  const deliver: Deliver<ResultStream> = (pending) =>
    isSubscription(pending) ? new ResultStream(start(pending), signal) : refuseType(pending);
  const started = executor.execute(one, { request, deliver });
  if (isPromise(started)) return new ResultStream(started.then(toStarted), signal);
  return "kind" in started ? new ResultStream(toStarted(started)) : started;
}

function toStarted(started: Outcome | ResultStream): StartedSubscription {
  return "kind" in started ? { errors: errorsOf(started) } : started;
}

function refuseType({ info: { type } }: PendingOperation): Outcome {
  const message = `Cannot subscribe: the operation is a ${type}, send it to the handler`;
  return { kind: "result", result: { errors: [new GraphQLError(message)] } };
}

function isSubscription(pending: PendingOperation): pending is LocalOperation {
  return pending instanceof LocalOperation && pending.info.type === "subscription";
}

function start(pending: LocalOperation): PromiseOrValue<StartedSubscription> {
  const subscribe = () => startSubscription(pending);
  return pending.inspector?.subscribe(pending, subscribe) ?? subscribe();
}

function startSubscription(pending: LocalOperation): PromiseOrValue<StartedSubscription> {
  try {
    const args = pending.args();
    const started = isPromise(args) ? args.then(subscribeToDocument) : subscribeToDocument(args);
    return isPromise(started) ? started.then(report) : report(started);
  } catch (error) {
    return Promise.reject(error);
  }

  function report(started: StartedSubscription): StartedSubscription {
    if ("errors" in started) pending.report(started.errors);
    return started;
  }
}

const DONE: IteratorResult<ExecutionResult, undefined> = { done: true, value: undefined };

/** A stream of one result, which is computed when it is read; `return()` aborts that. */
function once(
  compute: () => PromiseOrValue<Outcome>,
  request: MockRequest,
  ending: AbortController,
): ResultStream {
  let isRead = false;
  return new ResultStream({
    async next() {
      if (isRead) return DONE;
      isRead = true;
      return { done: false, value: await toResult(await compute(), request) };
    },
    return() {
      ending.abort();
      return Promise.resolve(DONE);
    },
  });
}

async function toResult(outcome: Outcome, request: MockRequest): Promise<ExecutionResult> {
  if (outcome.kind === "result") return outcome.result;
  const isBroken = outcome.kind === "response" && isNetworkError(outcome.response);
  return isBroken ? await breakConnection(request) : { errors: errorsOf(outcome) };
}

/**
 * The errors of an operation that wasn't started on a connection with several: the status of a
 * rejected request is in the extensions, and a custom HTTP response can't be passed on.
 */
export function errorsOf(outcome: Outcome): readonly GraphQLError[] {
  if (outcome.kind === "result") return outcome.result.errors ?? [];
  if (outcome.kind === "refusal") {
    const { status, reason, extensions } = outcome;
    const http = status === 200 ? {} : { http: { status } };
    return [new GraphQLError(reason, { extensions: { ...extensions, ...http } })];
  }
  const message = "Cannot pass a Response on: the connection carries several operations";
  return [new GraphQLError(message)];
}
