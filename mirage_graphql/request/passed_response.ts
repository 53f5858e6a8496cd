import type { GraphQLError } from "graphql";

/** Mirage's `Response`, of whichever copy of Mirage. */
export interface MirageResponse {
  /** Status, headers and body, as Mirage serves them. */
  toRackResponse(): unknown;
}

/** An HTTP response that a resolver made itself: Mirage's, or that of the fetch standard. */
export type PassedResponse = MirageResponse | Response;

/** Tells a Mirage `Response`. */
export function isMirageResponse(value: unknown): value is MirageResponse {
  return typeof value === "object" && value !== null && "toRackResponse" in value &&
    typeof value.toRackResponse === "function";
}

/** Tells an HTTP response that is to be passed on. */
export function isPassedResponse(value: unknown): value is PassedResponse {
  return isMirageResponse(value) || value instanceof Response;
}

/** The response that a resolver threw, if one of the errors carries it. */
export function findPassedResponse(
  errors: readonly GraphQLError[] | undefined,
): PassedResponse | undefined {
  for (const { originalError } of errors ?? []) {
    if (originalError === undefined || originalError === null) continue;
    // graphql-js wraps what is no Error
    const thrown = "thrownValue" in originalError ? originalError.thrownValue : originalError;
    if (isPassedResponse(thrown)) return thrown;
  }
  return undefined;
}
