import type { ExecutionResult } from "graphql";
import type { PassedResponse } from "./passed_response.ts";

/** What came of one GraphQL request. */
export type Outcome =
  /** A GraphQL response; without `data` where the document or its variables were refused. */
  | { readonly kind: "result"; readonly result: ExecutionResult }
  | Refusal
  /** A resolver, or a planned failure, made the HTTP answer itself. */
  | { readonly kind: "response"; readonly response: PassedResponse };

/** An HTTP request that holds no GraphQL request, or one that its method doesn't allow. */
export interface Refusal {
  readonly kind: "refusal";
  /** HTTP status of the answer. */
  readonly status: number;
  /** Why; the message of the only error in the answer. */
  readonly reason: string;
  /** Headers of the answer, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extensions of the error. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Refuses a request. */
export function refuse(
  status: number,
  reason: string,
  more: Pick<Refusal, "headers" | "extensions"> = {},
): Refusal {
  return { kind: "refusal", status, reason, ...more };
}
