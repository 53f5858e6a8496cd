/** The paging arguments of a connection field; `null` is the same as absent. */
export interface PageArgs {
  /** Maximum number of edges, counted from the start. */
  readonly first?: number | null;
  /** Only edges after the one with this cursor. */
  readonly after?: string | null;
  /** Maximum number of edges, counted from the end. */
  readonly last?: number | null;
  /** Only edges before the one with this cursor. */
  readonly before?: string | null;
  /** Number of edges to skip after those that the cursors exclude; not part of Relay. */
  readonly offset?: number;
  /** Only edges from the one with this cursor on; not part of Relay. */
  readonly position?: string;
  /** Number of the page, from 1, where a request has one; not part of Relay. */
  readonly page?: number;
}

/** The part of all edges that a page contains. */
export interface PageSlice {
  /** Position of the page's first edge. */
  readonly start: number;
  /** Position after the page's last edge. */
  readonly end: number;
  /** Whether there are edges before the page, even if the page is empty. */
  readonly hasPreviousPage: boolean;
  /** Whether there are edges after the page, even if the page is empty. */
  readonly hasNextPage: boolean;
}

/**
 * Finds the position of the edge with a cursor, or the place that an edge had which has left the
 * connection: 1.5 between the edges 1 and 2. `undefined` if neither is known.
 */
export type PositionOf = (cursor: string) => number | undefined;

/**
 * The page of a connection of `count` edges: cursors apply first, then `first`, then `last`, as in
 * the GraphQL Cursor Connections Specification, section 4.4 "Pagination algorithm". As the
 * specification says, a `before` that doesn't come after `after` is ignored, and so is a cursor
 * without a position.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { sliceOf } from "./page.ts";
 *
 * const positionOf = (cursor: string) => ["a", "b", "c", "d"].indexOf(cursor);
 * deepStrictEqual(sliceOf(4, { first: 2, after: "a" }, positionOf), {
 *   start: 1,
 *   end: 3,
 *   hasPreviousPage: true,
 *   hasNextPage: true,
 * });
 * ```
 *
 * @throws {RangeError} For a negative `first` or `last`.
 */
export function sliceOf(count: number, args: PageArgs, positionOf: PositionOf): PageSlice {
  const first = limitOf(args, "first");
  const last = limitOf(args, "last");
  const find = (cursor: string | null | undefined, otherwise: number) =>
    (cursor ? positionOf(cursor) : undefined) ?? otherwise;
  let start = Math.ceil(Math.max(find(args.position, 0), find(args.after, -1) + 0.5));
  let end = Math.floor(find(args.before, count) + 0.5);
  if (end < start) end = count;
  start = Math.min(end, start + Math.max(0, args.offset ?? 0));
  end = Math.min(end, start + first);
  start = Math.max(start, end - last);
  return { start, end, hasPreviousPage: start > 0, hasNextPage: end < count };
}

function limitOf(args: PageArgs, name: "first" | "last"): number {
  const limit = args[name] ?? Infinity;
  if (limit >= 0) return limit;
  throw new RangeError(`Cannot page with ${name} ${limit}: it must be 0 or more`);
}
