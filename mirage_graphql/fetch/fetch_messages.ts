import type { MockRequest } from "../request/graphql_request.ts";
import type { HttpResponse } from "../request/http_response.ts";
import { readPassedResponse } from "../request/passed_response.ts";

/** Converts a request of the fetch standard to the form that Mirage gives to route handlers. */
export function createFetchRequest(request: Request, body: unknown): MockRequest {
  return new FetchRequest(request, body);
}

/** Reads headers, parameters and signal on demand. */
class FetchRequest implements MockRequest {
  readonly requestBody: unknown;
  readonly method: string;
  readonly url: string;
  readonly params: Readonly<Record<string, string>> = {};
  readonly canStream = true;
  readonly #request: Request;
  #headers: Readonly<Record<string, string>> | undefined;

  constructor(request: Request, body: unknown) {
    this.#request = request;
    this.requestBody = body;
    this.method = request.method;
    this.url = request.url;
  }

  get requestHeaders(): Readonly<Record<string, string>> {
    this.#headers ??= Object.fromEntries(this.#request.headers);
    return this.#headers;
  }

  get queryParams(): Readonly<Record<string, string>> {
    return Object.fromEntries(new URL(this.url).searchParams);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

/** Converts a response to one of the fetch standard. */
export async function toResponse(answer: HttpResponse): Promise<Response> {
  if (answer.kind === "json") {
    const { status, headers } = answer;
    return new Response(JSON.stringify(answer.body), { status, headers });
  }
  const { response } = answer;
  if (response instanceof Response) return response.clone();
  const { status, headers, body } = await readPassedResponse(response);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(isBodyless(status) ? null : text, { status, headers });
}

function isBodyless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
