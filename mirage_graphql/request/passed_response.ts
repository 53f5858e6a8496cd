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

/**
 * Makes a resolver throw the `Response` that it returns, so that the executor passes it on instead
 * of completing it as a value of the field. Other values and promises stay as they are.
 */
export function throwReturnedResponse<Args extends unknown[]>(
  resolver: (...args: Args) => unknown,
): (...args: Args) => unknown {
  return function (this: unknown, ...args: Args): unknown {
    const value = resolver.apply(this, args);
    if (typeof value !== "object" || value === null) return value;
    if ("then" in value && typeof value.then === "function") return value.then(throwResponse);
    return throwResponse(value);
  };
}

function throwResponse(value: unknown): unknown {
  if (isPassedResponse(value)) throw value;
  return value;
}
