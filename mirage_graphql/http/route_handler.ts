import { Response } from "miragejs";
import { addControls, type HandlerControls } from "../execution/controls.ts";
import type { Executor } from "../execution/executor.ts";
import type { MockRequest } from "../execution/graphql_request.ts";
import { isNetworkError, type PassedResponse, readPassedResponse } from "../execution/outcome.ts";
import { breakConnection } from "../execution/broken_connection.ts";
import { type BatchOptions, checkBatch } from "./http_request.ts";
import {
  type FormattedError,
  handleHttpRequest,
  type HttpOptions,
  type HttpResponse,
  type JsonAnswer,
  refusalResponse,
  type ResponseBody,
} from "./http_response.ts";
import { readUpload, toUploadLimits, type UploadOptions } from "./uploads.ts";

/**
 * A Mirage route handler that responds to GraphQL requests. The first argument is unused; a direct
 * caller may pass only the body, as in `handler(schema, { requestBody })`.
 */
export interface GraphQLHandler extends HandlerControls {
  /** Responds to a request; rejects if its signal aborts, or its connection is to break. */
  (mockSchema: unknown, request: MockRequest): Promise<GraphQLRouteResponse>;
}

/**
 * Creates the route handler of an executor, for `this.post(path, handler)` and `this.get(...)` in
 * Mirage's `routes()`. A `Response` that a resolver returned is passed on.
 */
export function createRouteHandler(
  executor: Executor,
  options: BatchOptions & UploadOptions = {},
): GraphQLHandler {
  const { batch = false } = options;
  checkBatch({ batch });
  const limits = toUploadLimits(options);
  const answerOnce = (request: MockRequest) => handleHttpRequest(executor, request, { batch });
  /** Keeps the streams that clients have reserved. */
  let streams: StreamHandler | undefined;
  const answer = async (_mockSchema: unknown, received: MockRequest & Partial<Intercepted>) => {
    const { requestBody } = received;
    const upload = isForm(requestBody) ? await readUpload(requestBody, limits) : undefined;
    if (upload?.kind === "refusal") {
      return new GraphQLRouteResponse(refusalResponse(upload, "application/json"));
    }
    const request: MockRequest = upload === undefined
      ? received
      : Object.create(received, { requestBody: { value: upload } });
    const { createStreams } = received;
    if (createStreams) streams ??= createStreams(executor, { batch });
    const answered = await (createStreams && streams ? streams : answerOnce)(request);
    if (!("kind" in answered)) {
      received.respondWith?.(answered);
      return STREAMED;
    }
    return answered.kind === "json"
      ? new GraphQLRouteResponse(answered)
      : isNetworkError(answered.response)
      ? await breakConnection(request)
      : await passOnToMirage(answered.response);
  };
  return addControls(answer, executor);
}

/** What a request of a fetch interceptor has, so that its response can be a stream. */
export interface Intercepted {
  /** Creates what answers the route's requests that accept streams. */
  readonly createStreams: (executor: Executor, options: HttpOptions) => StreamHandler;
  /** Responds past Mirage, which can't pass streams on. */
  respondWith(response: globalThis.Response): void;
}

/** Answers an HTTP request; a `Response` has a body that is sent part by part. */
export type StreamHandler = (request: MockRequest) => Promise<HttpResponse | globalThis.Response>;

/** Mirage gives the body of an upload as a form. */
function isForm(body: unknown): body is FormData {
  return typeof body === "object" && typeof FormData === "function" && body instanceof FormData;
}

/**
 * The response of the route handler: a Mirage `Response` with the status and the headers of GraphQL
 * over HTTP, and for a direct caller an object whose `data` and `errors` are the GraphQL response.
 */
export class GraphQLRouteResponse extends Response {
  /** HTTP status. */
  declare readonly code: number;
  /** HTTP headers. */
  declare readonly headers: Readonly<Record<string, string>>;
  /** Data of the GraphQL response; `undefined` for a rejected request or a batch. */
  declare readonly data: ResponseBody["data"];
  /** Errors of the GraphQL response; `undefined` if there are none. */
  readonly errors: readonly FormattedError[] | undefined;
  /** Extensions of the GraphQL response; `undefined` if there are none. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  /** The whole GraphQL response; for a batch, an array of them. */
  readonly body: JsonAnswer["body"];

  /** Copies status, headers and body. */
  constructor({ status, headers, body }: Omit<JsonAnswer, "kind">) {
    super(status, { ...headers });
    const response = isBatch(body) ? {} : body;
    this.data = response.data;
    this.errors = response.errors;
    this.extensions = response.extensions;
    this.body = body;
  }

  /** Status, headers and the whole GraphQL response, as Mirage serves them. */
  override toRackResponse(): [number, Record<string, string>, object] {
    return [this.code, this.headers, this.body];
  }
}

/** What Mirage gets for a response that the interceptor streams. */
const STREAMED = new GraphQLRouteResponse({ status: 200, headers: {}, body: {} });

function isBatch(body: JsonAnswer["body"]): body is readonly ResponseBody[] {
  return Array.isArray(body);
}

/**
 * A `Response` from a resolver, passed on by the route handler. Its body is in `data`, as in every
 * Mirage `Response`, so that Mirage serializes models there.
 */
class PassedRouteResponse extends GraphQLRouteResponse {
  /** Copies status, headers and body. */
  constructor(status: number, headers: Readonly<Record<string, string>>, body: unknown) {
    super({ status, headers, body: {} });
    Object.assign(this, { body, data: body });
  }

  /** Status, headers and the body as serialized by Mirage. */
  override toRackResponse(): [number, Record<string, string>, object] {
    const body: unknown = this.data;
    return [this.code, this.headers, body as object];
  }
}

/** Converts a `Response` of Mirage or of fetch to a route response. */
async function passOnToMirage(response: PassedResponse): Promise<PassedRouteResponse> {
  const { status, headers, body } = await readPassedResponse(response);
  return new PassedRouteResponse(status, headers, body);
}
