import type { ExecutionResult, GraphQLError } from "graphql";

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

/** Mirage's `Response`, from any copy of Mirage. */
export interface MirageResponse {
  /** Status, headers and body, as Mirage serves them. */
  toRackResponse(): unknown;
}

/** An HTTP response that a resolver created: Mirage's, or that of the fetch standard. */
export type PassedResponse = MirageResponse | Response;

/** Whether a value is a Mirage `Response`. */
function isMirageResponse(value: unknown): value is MirageResponse {
  return typeof value === "object" && value !== null && "toRackResponse" in value &&
    typeof value.toRackResponse === "function";
}

/** Whether a value is an HTTP response that is passed on. */
export function isPassedResponse(value: unknown): value is PassedResponse {
  return isMirageResponse(value) || value instanceof Response;
}

/** Whether a response is `Response.error()`, which stands for a broken connection. */
export function isNetworkError(response: PassedResponse): boolean {
  return "type" in response && response.type === "error";
}

/** The response that a resolver threw, if one of the errors has it. */
export function findPassedResponse(
  errors: readonly GraphQLError[] | undefined,
): PassedResponse | undefined {
  for (const { originalError } of errors ?? []) {
    if (originalError === undefined || originalError === null) continue;
    // graphql-js wraps values that are not errors
    const thrown = "thrownValue" in originalError ? originalError.thrownValue : originalError;
    if (isPassedResponse(thrown)) return thrown;
  }
  return undefined;
}

/** Status, headers and body of a response from a resolver. */
export interface ReadResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Reads a `Response` of Mirage or of fetch; the latter's body as text. */
export async function readPassedResponse(response: PassedResponse): Promise<ReadResponse> {
  if (!isMirageResponse(response)) {
    const headers = Object.fromEntries(response.headers);
    const type = response.headers.get("content-type");
    // the header needs this casing, or Mirage adds a second one
    if (type !== null) {
      delete headers["content-type"];
      headers["Content-Type"] = type;
    }
    return { status: response.status, headers, body: await response.clone().text() };
  }
  const rack = response.toRackResponse();
  if (!Array.isArray(rack)) {
    throw new TypeError(`Cannot pass on "${rack}": it is not a Mirage Response`);
  }
  const [status = 200, headers = {}, body] = rack;
  return { status: Number(status), headers, body };
}

/** Whether responses of a status have no body (Fetch standard, "null body status"). */
export function isBodyless(status: number): boolean {
  return [101, 103, 204, 205, 304].includes(status);
}
