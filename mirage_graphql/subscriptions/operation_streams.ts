import { type ExecutionResult, GraphQLError } from "graphql";
import type { Executor } from "../request/executor.ts";
import {
  type ExecutableRequest,
  isPromise,
  type MockRequest,
  type PromiseOrValue,
} from "../request/graphql_request.ts";
import { breakConnection } from "../request/broken_connection.ts";
import { executeRequest } from "../request/http_response.ts";
import type { Outcome, Refusal } from "../request/outcome.ts";
import { isNetworkError } from "../request/passed_response.ts";
import { ResultStream } from "./result_stream.ts";
import type { Subscriber } from "./subscriber.ts";

/** Starts an operation of any kind; the stream's `return()` ends it. */
export type StartOperation = (one: ExecutableRequest, request: MockRequest) => ResultStream;

/**
 * Creates the function that runs operations for connections that carry several of them: a query or
 * a mutation is a stream of one result, and what would be an HTTP status is an error.
 */
export function createOperationStreams(executor: Executor, subscriber: Subscriber): StartOperation {
  return (one, request) => {
    const subscription = subscriber.subscriptionOf(one);
    if (subscription === undefined) {
      return new ResultStream(
        once(async (signal) =>
          toResult(
            await executeRequest(executor, one, { ...request, signal }, { isAlone: true }),
            request,
          )
        ),
      );
    }
    const ending = new AbortController();
    const failure = executor.takeFailure(subscription.name, ending.signal);
    if (failure !== undefined) {
      // it rejects if the operation ends before its result is read
      if (isPromise(failure)) failure.catch(() => {});
      return new ResultStream(once(async () => toResult(await failure, request), ending));
    }
    return subscriber.subscribe(one, { request });
  };
}

/** A custom HTTP response becomes an error, because the connection is already open. */
function toResult(outcome: Outcome, request: MockRequest): PromiseOrValue<ExecutionResult> {
  if (outcome.kind === "result") return outcome.result;
  if (outcome.kind === "response") {
    if (isNetworkError(outcome.response)) return breakConnection(request);
    const message = "Cannot pass a Response on: the connection carries several operations";
    return { errors: [new GraphQLError(message)] };
  }
  return { errors: [toGraphQLError(outcome)] };
}

/** A rejected request as an error: the status is in its extensions. */
export function toGraphQLError({ status, reason, extensions }: Refusal): GraphQLError {
  const http = status === 200 ? {} : { http: { status } };
  return new GraphQLError(reason, { extensions: { ...extensions, ...http } });
}

const DONE: IteratorResult<ExecutionResult, undefined> = { done: true, value: undefined };

/** One result, which is computed when it is read; `return()` aborts that. */
function once(
  compute: (signal: AbortSignal) => Promise<ExecutionResult>,
  ending: AbortController = new AbortController(),
): AsyncIterator<ExecutionResult> {
  let isRead = false;
  return {
    async next() {
      if (isRead) return DONE;
      isRead = true;
      return { done: false, value: await compute(ending.signal) };
    },
    return() {
      ending.abort();
      return Promise.resolve(DONE);
    },
  };
}
