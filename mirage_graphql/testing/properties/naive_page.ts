import { Buffer } from "node:buffer";
import type { PlainRecord } from "./world.ts";

type Args = Readonly<Record<string, unknown>>;

/**
 * Computes a page literally as in the cursor connections specification, one array after the other.
 *
 * @param candidates The records before the arguments exclude some.
 */
export function naivePage(
  records: readonly PlainRecord[],
  args: Args,
  candidates: readonly PlainRecord[],
): unknown {
  const all = records.map((node) => ({ node, cursor: cursorOf(node) }));
  let edges = all;
  const place = (cursor: unknown) => placeOf(cursor, records, candidates);
  const { after, before } = { after: place(args.after), before: place(args.before) };
  if (after !== undefined) edges = edges.filter((_, position) => position > after);
  const { length: passed } = all.filter((_, position) => after !== undefined && position <= after);
  if (before !== undefined && before > passed - 1) {
    edges = edges.filter((edge) => all.indexOf(edge) < before);
  }
  const start = edges[0] ? all.indexOf(edges[0]) : passed;
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

/** The position of a record, or the place between two that it had, such as 1.5. */
function placeOf(
  cursor: unknown,
  records: readonly PlainRecord[],
  candidates: readonly PlainRecord[],
): number | undefined {
  const found = records.findIndex((record) => cursorOf(record) === cursor);
  if (found >= 0) return found;
  const excluded = candidates.findIndex((record) => cursorOf(record) === cursor);
  if (excluded >= 0) {
    return candidates.slice(0, excluded).filter((one) => records.includes(one)).length - 0.5;
  }
  const [typeName, id = ""] = Buffer.from(String(cursor), "base64").toString().split(":");
  const own = records.filter((record) => record.typeName === typeName);
  const [first] = own;
  for (const sign of [1, -1]) {
    for (let place = 0; first !== undefined && place <= own.length; place++) {
      const ids = [...own.slice(0, place), { id }, ...own.slice(place)].map((one) => one.id);
      const isOrdered = ids.slice(1).every((one, index) => order(one, ids[index]!) === sign);
      if (isOrdered) return records.indexOf(first) + place - 0.5;
    }
  }
  return undefined;
}

/** 1 if an id comes after another, -1 if before: numbers by size, other texts by code units. */
function order(one: string, other: string): number {
  const [left, right] = [Number(one), Number(other)];
  if (!Number.isNaN(left) || !Number.isNaN(right)) return Math.sign(left - right);
  return one === other ? 0 : one > other ? 1 : -1;
}

function limit(count: unknown): number | undefined {
  if (typeof count !== "number") return undefined;
  if (count < 0) throw new RangeError(`Cannot page by ${count}: it is negative`);
  return count;
}
