import type { Executor } from "./executor.ts";
import type { HandledOperation } from "./operation_log.ts";
import type { PlannedFailure } from "./planned_failures.ts";
import { createQuery, type QueryFunction } from "./query.ts";

/**
 * What every handler offers to tests and demos, beside answering.
 *
 * @example Let an operation fail, and read what was asked
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
  /** The operations that were handled last, the oldest first; 100 unless `maxOperations` is set. */
  readonly operations: readonly HandledOperation[];
  /**
   * Lets the next operation of that name (`"*"`: of any name) fail without being run: with an
   * error beside `data: null`, with an HTTP status from 400 on, or with a `Response`. Several calls
   * stand in a queue.
   */
  failNext(operationName: string, failure: PlannedFailure): void;
  /** Runs a document and returns its data; throws a `QueryError` where it is answered with errors. */
  readonly query: QueryFunction;
  /** Forgets handled operations and planned failures, such as between two tests. */
  reset(): void;
}

/** Adds the controls of an executor to the function that answers for it. */
export function addControls<Handler extends (...args: never[]) => unknown>(
  handler: Handler,
  executor: Executor,
): Handler & HandlerControls {
  const controls: PropertyDescriptorMap & ThisType<never> = {
    operations: { get: () => executor.operations, enumerable: true },
    failNext: { value: executor.failNext, enumerable: true },
    query: { value: createQuery(executor), enumerable: true },
    reset: { value: executor.reset, enumerable: true },
  };
  return Object.defineProperties(handler, controls) as Handler & HandlerControls;
}
