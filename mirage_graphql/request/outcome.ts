import type { ExecutionResult } from "graphql";
import { isPromise, type PromiseOrValue } from "./graphql_request.ts";
import type { PassedResponse } from "./passed_response.ts";

/** The outcome of one GraphQL request. */
export type Outcome =
  /** A GraphQL response; without `data` if the document or its variables were rejected. */
  | { readonly kind: "result"; readonly result: ExecutionResult }
  | Refusal
  /** A resolver, or a planned failure, created the HTTP response itself. */
  | { readonly kind: "response"; readonly response: PassedResponse };

/** An HTTP request without a GraphQL request, or with one that its method doesn't allow. */
export interface Refusal {
  readonly kind: "refusal";
  /** HTTP status of the response. */
  readonly status: number;
  /** The reason: the message of the only error in the response. */
  readonly reason: string;
  /** Headers of the response, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extensions of the error. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Creates a refusal. */
export function refuse(
  status: number,
  reason: string,
  more: Pick<Refusal, "headers" | "extensions"> = {},
): Refusal {
  return { kind: "refusal", status, reason, ...more };
}

/** Errors of user-defined code become a 500; they are thrown if the signal aborts. */
export function orRefusal<Value>(
  signal: AbortSignal | undefined,
  act: () => PromiseOrValue<Value>,
): PromiseOrValue<Value | Refusal> {
  const fail = (error: unknown): Refusal => {
    if (signal?.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(500, `Cannot run the operation: ${reason}`);
  };
  try {
    const value = act();
    return isPromise(value) ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
}
