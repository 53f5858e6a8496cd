import { authorization, report, reportProblem } from "./instance.ts";
import { parseProblem, Problem } from "./problem.ts";

/** A response whose body is read while it comes. */
export interface OpenStream {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** What is sent; the signal ends the response as well, which axios can't. */
export interface StreamRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly data?: unknown;
  readonly signal: AbortSignal;
}

const EMPTY = () => new Blob([]).stream();

/** Sends a request, and resolves once its response begins. Rejects with a `Problem`. */
export async function openStream(
  path: string,
  { method = "GET", headers = {}, data, signal }: StreamRequest,
): Promise<OpenStream> {
  const response = await fetch(path, {
    method,
    signal,
    headers: {
      ...authorization(),
      ...(data === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(data === undefined ? {} : { body: JSON.stringify(data) }),
  }).catch((error) => {
    signal.throwIfAborted();
    throw failed(new Problem("The server does not answer", {}), error);
  });
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => undefined);
    throw failed(parseProblem(body, response.status));
  }
  report("answered");
  return { status: response.status, body: response.body ?? EMPTY() };
}

function failed(problem: Problem, cause?: unknown): Problem {
  reportProblem(problem);
  problem.cause = cause;
  return problem;
}
