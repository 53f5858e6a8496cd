import { getIntrospectionQuery } from "graphql";
import { isIntrospection } from "../schema/executable_schema.ts";
import { type ReadFile, reasonOf } from "./schema_files.ts";
import { ServeError } from "./serve_error.ts";

/** How the schema of a running API is requested. */
export interface IntrospectOptions {
  /** Headers to send, such as `Authorization`. @default {{}} */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds in which the response must have been read. @default {30_000} */
  readonly timeoutMs?: number;
  /** Maximum size of the response, in bytes. @default {104_857_600} */
  readonly maxBytes?: number;
}

/** Whether a source is a URL rather than a path. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/**
 * Requests the schema of a running API, with the introspection query that every version of the
 * specification supports.
 *
 * @throws {ServeError} If there is no response in time, or none with a schema.
 */
export async function introspect(url: string, options: IntrospectOptions = {}): Promise<ReadFile> {
  const { headers = {}, timeoutMs = 30_000, maxBytes = 104_857_600 } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Accept: ACCEPT, "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ query: getIntrospectionQuery() }),
      // credentials are for the server that was named
      redirect: "manual",
      signal,
    });
    const text = await readText(response, maxBytes);
    if (text === undefined) throw refused(url, `its answer is larger than ${maxBytes} bytes`);
    const fault = faultOf(response, text);
    if (fault !== undefined) throw refused(url, fault);
    return { path: url, text };
  } catch (cause) {
    if (cause instanceof ServeError) throw cause;
    const state = signal.aborted
      ? `it has not answered within ${timeoutMs / 1000} s`
      : reasonOf(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause);
    throw refused(url, state, cause);
  }
}

const ACCEPT = "application/graphql-response+json, application/json;q=0.9";

function refused(url: string, state: string, cause?: unknown): ServeError {
  return new ServeError(`Cannot introspect "${url}": ${state}`, { cause });
}

/** Reads a body, counting its bytes as they arrive; `undefined` if it has too many. */
async function readText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Explains why a response has no schema. */
function faultOf({ status, statusText, headers }: Response, text: string): string | undefined {
  const answered = `it answers ${status} ${statusText}`.trimEnd();
  if (status >= 300 && status < 400) {
    return `${answered}, a redirect to "${headers.get("location")}"; name that address`;
  }
  const value = parseJson(text);
  if (isIntrospection(value)) return undefined;
  const message = firstMessage(value);
  const said = message === undefined ? "" : `, with the error "${message}"`;
  if (status === 401 || status === 403) {
    return `${answered}${said}; give the credentials, as in --header "Authorization: Bearer ..."`;
  }
  if (value === undefined) {
    return `${answered}, which is not JSON but "${text.trim().slice(0, 40)}"; name the ` +
      "address of a GraphQL API";
  }
  const advice = "if introspection is disabled, serve a file with the schema";
  return `${answered}${said || " without a schema"}; ${advice}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message of the first GraphQL error, cut to a line. */
function firstMessage(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("errors" in value)) return undefined;
  const [first]: unknown[] = Array.isArray(value.errors) ? value.errors : [];
  if (typeof first !== "object" || first === null || !("message" in first)) return undefined;
  return String(first.message).replaceAll(/\s+/g, " ").slice(0, 200);
}
