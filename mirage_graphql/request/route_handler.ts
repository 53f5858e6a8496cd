import type { Executor } from "./executor.ts";
import type { MockRequest } from "./graphql_request.ts";
import { answerHttp } from "./http_answer.ts";
import type { ParseOptions } from "./parse_body.ts";
import { passOnToMirage } from "./passed_route_response.ts";
import { GraphQLRouteResponse } from "./route_response.ts";

/** Answers the GraphQL requests that Mirage routes to it; the first argument is not used. */
export type RouteHandler = (
  mockSchema: unknown,
  request: MockRequest,
) => Promise<GraphQLRouteResponse>;

/** How the route handler reads requests. */
export type RouteOptions = Pick<ParseOptions, "batch">;

/**
 * Makes the route handler of an executor, for `this.post(path, handler)` and `this.get(...)` in
 * Mirage's `routes()`. Where a resolver answered with a `Response` of its own, that is passed on.
 */
export function createRouteHandler(executor: Executor, options: RouteOptions = {}): RouteHandler {
  const { batch = false } = options;
  return async (_mockSchema, request) => {
    const answer = await answerHttp(executor, request, { batch });
    return answer.kind === "json"
      ? new GraphQLRouteResponse(answer)
      : passOnToMirage(answer.response);
  };
}
