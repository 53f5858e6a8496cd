import { checkBatch } from "./check_batch.ts";
import type { Executor } from "./executor.ts";
import type { MockRequest } from "./graphql_request.ts";
import { addControls, type HandlerControls } from "./handler_controls.ts";
import { answerHttp } from "./http_response.ts";
import type { BatchOptions } from "./http_request.ts";
import { passOnToMirage } from "./passed_route_response.ts";
import { GraphQLRouteResponse } from "./route_response.ts";

/**
 * A Mirage route handler that answers GraphQL requests. The first argument is not used; a direct
 * caller gives the body alone, as in `handler(schema, { requestBody })`.
 */
export interface GraphQLHandler extends HandlerControls {
  /** Answers a request; rejects only where the request's signal aborts. */
  (mockSchema: unknown, request: MockRequest): Promise<GraphQLRouteResponse>;
}

/**
 * Makes the route handler of an executor, for `this.post(path, handler)` and `this.get(...)` in
 * Mirage's `routes()`. Where a resolver answered with a `Response` of its own, that is passed on.
 */
export function createRouteHandler(executor: Executor, options: BatchOptions = {}): GraphQLHandler {
  const { batch = false } = options;
  checkBatch({ batch });
  const answer = async (_mockSchema: unknown, request: MockRequest) => {
    const answered = await answerHttp(executor, request, { batch });
    return answered.kind === "json"
      ? new GraphQLRouteResponse(answered)
      : await passOnToMirage(answered.response);
  };
  return addControls(answer, executor);
}
