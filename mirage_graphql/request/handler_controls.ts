import type { Executor } from "./executor.ts";
import type { HandledOperation, SeenOptions } from "./operation_log.ts";
import type { PlannedFailure } from "./planned_failures.ts";
import { createQuery, type QueryFunction } from "./query.ts";

/**
 * What every handler offers to tests and demos, besides responding.
 *
 * @example Make an operation fail, and read the log
 * ```ts
 * import { deepStrictEqual, rejects } from "node:assert/strict";
 * import { createServer } from "miragejs";
 * import { createGraphQLHandler } from "@trestle/mirage-graphql";
 *
 * const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
 * const { schema, db } = createServer({ environment: "test" });
 * const handler = createGraphQLHandler(graphQLSchema, schema);
 * db.loadData({ people: [{ name: "Ada" }] });
 *
 * handler.failNext("People", new Error("disk full"));
 * const query = "query People { people { name } }";
 * await rejects(handler.query(query), { message: "Cannot return data: disk full" });
 * deepStrictEqual(await handler.query(query), { people: [{ name: "Ada" }] });
 * deepStrictEqual(handler.operations.map(({ name }) => name), ["People", "People"]);
 * ```
 */
export interface HandlerControls {
  /** The latest operations, the oldest first; at most 100 unless `maxOperations` is set. */
  readonly operations: readonly HandledOperation[];
  /**
   * Makes the next operation of that name (`"*"`: of any name) fail without executing it: with an
   * error and `data: null`, with an HTTP status from 400 to 599, or with a `Response`. With
   * `"network"` or `Response.error()` the connection breaks, so that `fetch` rejects; with
   * `"timeout"` nothing is answered until the client aborts. Several calls queue up.
   */
  failNext(operationName: string, failure: PlannedFailure): void;
  /**
   * Resolves with the latest operation of that name (`"*"`: of any name), at once if it was handled
   * already, or else as soon as it is. Rejects after `timeout` milliseconds, 1,000 by default, with
   * the names of those that were handled. Subscriptions are not among them.
   */
  seen(operationName: string, options?: SeenOptions): Promise<HandledOperation>;
  /** Executes a document and returns its data; throws a `QueryError` if the response has errors. */
  readonly query: QueryFunction;
  /** Removes handled operations and planned failures, for example between two tests. */
  reset(): void;
}

/** Adds an executor's controls to its handler. */
export function addControls<Handler extends object>(
  handler: Handler,
  executor: Executor,
): Handler & HandlerControls {
  const controls: PropertyDescriptorMap & ThisType<never> = {
    operations: { get: () => executor.operations, enumerable: true },
    failNext: { value: executor.failNext, enumerable: true },
    seen: { value: executor.seen, enumerable: true },
    query: { value: createQuery(executor), enumerable: true },
    reset: { value: executor.reset, enumerable: true },
  };
  return Object.defineProperties(handler, controls) as Handler & HandlerControls;
}
