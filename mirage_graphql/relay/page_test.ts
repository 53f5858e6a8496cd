import { deepStrictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { type PageArgs, type PageSlice, sliceOf } from "./page.ts";

const CURSORS = ["a", "b", "c", "d", "e"];
/** Positions of the edges, and the places of some that have left: `<a`, `b>` and `e>`. */
const POSITIONS = new Map([
  ...CURSORS.map((cursor, position) => [cursor, position] as const),
  ...[["<a", -0.5], ["b>", 1.5], ["e>", 4.5]] as const,
]);
const positionOf = (cursor: string) => POSITIONS.get(cursor);

const PAGES: [PageArgs, page: string, hasPreviousPage: boolean, hasNextPage: boolean][] = [
  [{}, "abcde", false, false],
  [{ first: null, after: null, last: null, before: null }, "abcde", false, false],
  [{ first: 2 }, "ab", false, true],
  [{ first: 5 }, "abcde", false, false],
  [{ first: 9 }, "abcde", false, false],
  [{ first: 0 }, "", false, true],
  [{ last: 2 }, "de", true, false],
  [{ last: 9 }, "abcde", false, false],
  [{ last: 0 }, "", true, false],
  [{ after: "b" }, "cde", true, false],
  [{ after: "e" }, "", true, false],
  [{ before: "d" }, "abc", false, true],
  [{ before: "a" }, "", false, true],
  [{ first: 2, after: "b" }, "cd", true, true],
  [{ first: 3, after: "b" }, "cde", true, false],
  [{ first: 0, after: "b" }, "", true, true],
  [{ last: 2, before: "d" }, "bc", true, true],
  [{ last: 0, before: "d" }, "", true, true],
  [{ first: 2, before: "d" }, "ab", false, true],
  [{ last: 2, after: "b" }, "de", true, false],
  [{ after: "a", before: "e" }, "bcd", true, true],
  [{ after: "b", before: "c" }, "", true, true],
  [{ after: "b", before: "b" }, "cde", true, false],
  [{ after: "d", before: "b" }, "e", true, false],
  [{ first: 3, last: 2 }, "bc", true, true],
  [{ first: 2, last: 3 }, "ab", false, true],
  [{ first: 3, after: "a", last: 1, before: "e" }, "d", true, true],
  [{ first: 2, after: "<a" }, "ab", false, true],
  [{ first: 2, after: "b>" }, "cd", true, true],
  [{ after: "e>" }, "", true, false],
  [{ before: "<a" }, "", false, true],
  [{ last: 1, before: "b>" }, "b", true, true],
  [{ last: 1, before: "e>" }, "e", true, false],
  [{ after: "b>", before: "b>" }, "", true, true],
  [{ after: "b>", before: "b" }, "cde", true, false],
  [{ after: "b", before: "b>" }, "", true, true],
  [{ position: "b", first: 2 }, "bc", true, true],
  [{ position: "b>", first: 2 }, "cd", true, true],
  [{ position: "<a", first: 2 }, "ab", false, true],
  [{ first: 2, after: "x" }, "ab", false, true],
  [{ last: 2, before: "x" }, "de", true, false],
  [{ first: 2, after: "", before: "" }, "ab", false, true],
];

for (const [args, page, hasPreviousPage, hasNextPage] of PAGES) {
  Deno.test(`sliceOf() selects "${page}" of "abcde" for ${JSON.stringify(args)}`, () => {
    const slice = sliceOf(CURSORS.length, args, positionOf);
    deepStrictEqual(
      [CURSORS.slice(slice.start, slice.end).join(""), slice.hasPreviousPage, slice.hasNextPage],
      [page, hasPreviousPage, hasNextPage],
    );
  });
}

const REFUSED: [PageArgs, message: string][] = [
  [{ first: -1 }, "Cannot page with first -1: it must be 0 or more"],
  [{ last: -2, first: 1 }, "Cannot page with last -2: it must be 0 or more"],
  [{ first: NaN }, "Cannot page with first NaN: it must be 0 or more"],
];

for (const [args, message] of REFUSED) {
  Deno.test(`sliceOf() rejects ${JSON.stringify(args)}`, () => {
    throws(() => sliceOf(CURSORS.length, args, positionOf), { name: "RangeError", message });
  });
}

/** The specification's pagination algorithm, step by step, on a list of edges. */
function naivePage(edges: string[], { first, after, last, before }: PageArgs): string[] {
  const page = [...edges];
  if (after != null && page.includes(after)) page.splice(0, page.indexOf(after) + 1);
  if (before != null && page.includes(before)) page.splice(page.indexOf(before));
  if (first != null && page.length > first) page.splice(first);
  if (last != null && page.length > last) page.splice(0, page.length - last);
  return page;
}

const connections = fc.integer({ min: 0, max: 12 }).chain((count) => {
  const edges = Array.from({ length: count }, (_, position) => `edge ${position}`);
  const limit = fc.option(fc.integer({ min: 0, max: 14 }));
  const cursor = fc.option(fc.constantFrom(...edges, "unknown"));
  const args = fc.record({ first: limit, after: cursor, last: limit, before: cursor });
  return fc.record({ edges: fc.constant(edges), args });
});

function pageOf(edges: string[], args: PageArgs): PageSlice {
  const positions = new Map(edges.map((cursor, position) => [cursor, position]));
  return sliceOf(edges.length, args, (cursor) => positions.get(cursor));
}

Deno.test("sliceOf() selects the edges that the specification's algorithm returns", () => {
  fc.assert(fc.property(connections, ({ edges, args }) => {
    const { start, end } = pageOf(edges, args);
    deepStrictEqual(edges.slice(start, end), naivePage(edges, args));
  }));
});

Deno.test("sliceOf() stays within the edges, and reports those around the page", () => {
  fc.assert(fc.property(connections, ({ edges, args }) => {
    const { start, end, ...has } = pageOf(edges, args);
    deepStrictEqual(0 <= start && start <= end && end <= edges.length, true);
    deepStrictEqual(has, {
      hasPreviousPage: edges.slice(0, start).length > 0,
      hasNextPage: edges.slice(end).length > 0,
    });
  }));
});

Deno.test("sliceOf() visits every edge once, page after page in either direction", () => {
  const sizes = fc.record({ count: fc.nat(30), size: fc.integer({ min: 1, max: 8 }) });
  fc.assert(fc.property(sizes, ({ count, size }) => {
    const edges = Array.from({ length: count }, (_, position) => `edge ${position}`);
    deepStrictEqual(walkForwards(edges, size), edges);
    deepStrictEqual(walkBackwards(edges, size), edges);
  }));
});

function walkForwards(edges: string[], first: number): string[] {
  const visited: string[] = [];
  let page = pageOf(edges, { first });
  while (page.start < page.end) {
    visited.push(...edges.slice(page.start, page.end));
    if (!page.hasNextPage) break;
    page = pageOf(edges, { first, after: edges[page.end - 1] });
  }
  return visited;
}

function walkBackwards(edges: string[], last: number): string[] {
  const visited: string[] = [];
  let page = pageOf(edges, { last });
  while (page.start < page.end) {
    visited.unshift(...edges.slice(page.start, page.end));
    if (!page.hasPreviousPage) break;
    page = pageOf(edges, { last, before: edges[page.start] });
  }
  return visited;
}
