import { addControls, type HandlerControls } from "../execution/controls.ts";
import type { Executor } from "../execution/executor.ts";
import { checkLatency } from "../execution/executor_options.ts";
import type { MockRequest } from "../execution/graphql_request.ts";
import { isBodyless, readPassedResponse } from "../execution/outcome.ts";
import type { StreamOptions } from "../streams/result_body.ts";
import { checkHost } from "../streams/check_handshake.ts";
import { allowOrigin, answerPreflight, checkCors, type CorsOption, refuseForm } from "./cors.ts";
import { answerPage, type GraphiQLOption, wantsPage } from "./graphiql_page.ts";
import {
  type BatchOptions,
  checkBatch,
  headerOf,
  isFormType,
  prefersEventStream,
} from "./http_request.ts";
import { type HttpResponse, refusalResponse } from "./http_response.ts";
import { readForm, readText } from "./read_text.ts";
import { createStreamHandler } from "./stream_handler.ts";
import { readUpload, toUploadLimits, type UploadOptions } from "./uploads.ts";

/** Handles HTTP requests of the fetch standard: for `Deno.serve`, service workers and MSW. */
export interface FetchHandler extends HandlerControls {
  /** Responds to a request; rejects only if a user-defined page or event stream does. */
  (request: Request): Promise<Response>;
}

/** How a fetch handler responds. */
export interface FetchHandlerOptions extends BatchOptions, UploadOptions {
  /**
   * Maximum size of a body in bytes; a larger one is rejected with 413.
   * @default {1_048_576}
   */
  readonly maxBodyBytes?: number;
  /**
   * Origins whose pages may read responses: a list, or `{ origins, credentials }`; `true` for any,
   * `false` for the handler's own.
   * @default {false}
   */
  readonly cors?: CorsOption;
  /**
   * Shows GraphiQL to browsers, if the package `@graphql-yoga/render-graphiql` is installed; a
   * function returns another page.
   * @default {true}
   */
  readonly graphiql?: GraphiQLOption;
  /**
   * Milliseconds before each part but the first of a response to `@defer` or `@stream`.
   * @default {0}
   */
  readonly deferLatency?: number;
  /**
   * Responds to requests that prefer `text/event-stream` to JSON. By default they are answered by
   * the graphql-sse protocol, in either of its modes.
   */
  readonly onEventStream?: (request: MockRequest) => Response | Promise<Response>;
}

/** Creates the fetch handler of an executor. */
export function createFetchHandlerFor(
  executor: Executor,
  options: FetchHandlerOptions & StreamOptions = {},
): FetchHandler {
  const { cors = false } = options;
  const answer = responderFor(executor, options);
  const handle = async (request: Request) => {
    const preflight = answerPreflight(request, cors);
    if (preflight !== undefined) return preflight;
    try {
      return allowOrigin(request, await answer(request), cors);
    } catch (error) {
      if (!request.signal.aborted) throw error;
      // nobody reads it, because the client has disconnected
      return new Response(null, { status: 499 });
    }
  };
  return addControls(handle, executor);
}

function responderFor(executor: Executor, options: FetchHandlerOptions & StreamOptions) {
  const { batch = false, maxBodyBytes = 1_048_576, graphiql = true, cors = false } = options;
  const { onEventStream, heartbeat } = options;
  const deferLatency = checkLatency(options.deferLatency ?? 0);
  checkBatch({ batch });
  checkMaxBodyBytes(maxBodyBytes);
  checkCors(cors);
  const limits = { ...toUploadLimits(options), maxBodyBytes };
  const maxFormBytes = maxBodyBytes + limits.maxFiles * limits.maxFileBytes;
  const read = async (request: Request) => {
    if (!isFormType(request.headers.get("content-type"))) {
      return await readText(request, maxBodyBytes);
    }
    const foreign = refuseForm(request, cors);
    if (foreign !== undefined) return foreign;
    const form = await readForm(request, maxFormBytes);
    return form instanceof FormData ? await readUpload(form, limits) : form;
  };
  const answer = createStreamHandler(executor, {
    batch,
    isTypeRequired: true,
    deferLatency,
    heartbeat,
  });
  return async (request: Request): Promise<Response> => {
    const misaddressed = checkHost(request);
    if (misaddressed !== undefined) {
      return await toResponse(refusalResponse(misaddressed, "application/json"));
    }
    if (graphiql !== false && wantsPage(request)) return await answerPage(graphiql);
    const body = request.method === "POST" ? await read(request) : undefined;
    if (body instanceof Object && body.kind === "refusal") {
      return toResponse(refusalResponse(body, "application/json"));
    }
    const mockRequest: MockRequest = new FetchRequest(request, body);
    if (onEventStream && prefersEventStream(headerOf(mockRequest, "accept") ?? null)) {
      return await onEventStream(mockRequest);
    }
    const answered = await answer(mockRequest);
    return "kind" in answered ? await toResponse(answered) : answered;
  };
}

/** A wrong value would go unnoticed, and disable the limit. */
function checkMaxBodyBytes(maxBodyBytes: number): void {
  if (Number.isSafeInteger(maxBodyBytes) && maxBodyBytes >= 1) return;
  throw new RangeError(
    `Cannot use maxBodyBytes "${maxBodyBytes}": it must be an integer of at least 1`,
  );
}

/**
 * A request of the fetch standard in the form that Mirage gives to route handlers; its headers,
 * parameters and signal are read on demand.
 */
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
async function toResponse(answer: HttpResponse): Promise<Response> {
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
