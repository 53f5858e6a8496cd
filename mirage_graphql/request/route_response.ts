import { Response } from "miragejs";
import type { ErrorLike, JsonAnswer, ResponseBody } from "./http_response.ts";

/**
 * What the route handler answers: a Mirage `Response` with the status and the headers of GraphQL
 * over HTTP, and for a direct caller an object whose `data` and `errors` are the GraphQL response.
 */
export class GraphQLRouteResponse extends Response {
  /** HTTP status. */
  declare readonly code: number;
  /** HTTP headers. */
  declare readonly headers: Readonly<Record<string, string>>;
  /** Data of the GraphQL response; `undefined` where the request was refused, or a batch. */
  declare readonly data: ResponseBody["data"];
  /** Errors of the GraphQL response; `undefined` where there are none. */
  readonly errors: readonly ErrorLike[] | undefined;
  /** Extensions of the GraphQL response; `undefined` where there are none. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
  /** The whole GraphQL response; for a batch, an array of them. */
  readonly body: JsonAnswer["body"];

  /** Takes over an answer. */
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

function isBatch(body: JsonAnswer["body"]): body is readonly ResponseBody[] {
  return Array.isArray(body);
}
