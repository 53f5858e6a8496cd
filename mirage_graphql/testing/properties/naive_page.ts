import { Buffer } from "node:buffer";
import type { PlainRecord } from "./world.ts";

type Args = Readonly<Record<string, unknown>>;

/**
 * Computes a page literally as in the cursor connections specification, one array after the other.
 */
export function naivePage(records: readonly PlainRecord[], args: Args): unknown {
  const all = records.map((node) => ({ node, cursor: cursorOf(node) }));
  let edges = all;
  const { after, before } = { after: place(all, args.after), before: place(all, args.before) };
  if (after !== undefined) edges = edges.slice(after + 1);
  if (before !== undefined && (after === undefined || before > after)) {
    edges = edges.filter((edge) => all.indexOf(edge) < before);
  }
  const start = edges[0] ? all.indexOf(edges[0]) : after === undefined ? 0 : after + 1;
  const first = limit(args.first) ?? edges.length;
  const last = limit(args.last) ?? edges.length;
  const leading = edges.slice(0, first);
  const page = leading.slice(Math.max(0, leading.length - last));
  const skipped = start + leading.length - page.length;
  return {
    edges: page,
    nodes: page.map(({ node }) => node),
    totalCount: all.length,
    pageInfo: {
      hasPreviousPage: skipped > 0,
      hasNextPage: skipped + page.length < all.length,
      startCursor: page[0]?.cursor ?? null,
      endCursor: page.at(-1)?.cursor ?? null,
    },
  };
}

/** The cursor of a record. */
export function cursorOf({ typeName, id }: PlainRecord): string {
  return Buffer.from(`${typeName}:${id}`).toString("base64");
}

function place(all: readonly { readonly cursor: string }[], cursor: unknown): number | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const found = all.findIndex((edge) => edge.cursor === cursor);
  if (found < 0) throw new RangeError(`Cannot page from "${cursor}": no edge has it`);
  return found;
}

function limit(count: unknown): number | undefined {
  if (typeof count !== "number") return undefined;
  if (count < 0) throw new RangeError(`Cannot page by ${count}: it is negative`);
  return count;
}
