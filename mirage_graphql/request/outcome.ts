import type { ExecutionResult } from "graphql";
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
