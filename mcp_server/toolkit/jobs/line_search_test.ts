import { deepStrictEqual, ok } from "node:assert/strict";
import { LineSearch } from "./line_search.ts";
import type { OutputLine } from "./line_splitter.ts";

/** Works for longer than a search may without a pause. */
function work(): boolean {
  const end = performance.now() + 25;
  while (performance.now() < end);
  return true;
}

Deno.test("LineSearch lets other calls go on between the lines of all searches together", async () => {
  let turns = 0;
  let timer = setTimeout(function turn() {
    turns++;
    timer = setTimeout(turn);
  });
  const seen: number[] = [];
  const isMatch = () => {
    seen.push(turns);
    return work();
  };
  const { signal } = new AbortController();
  const searches = [1, 2, 3, 4].map(async () => {
    const search = new LineSearch({ isMatch, limit: 100, maxText: 100, signal });
    const lines: OutputLine[] = [0, 2].map((offset) => ({ offset, text: "a", end: offset + 2 }));
    deepStrictEqual(await search.search(lines), undefined);
    return search.matches.length;
  });
  deepStrictEqual(await Promise.all(searches), [2, 2, 2, 2]);
  clearTimeout(timer);
  deepStrictEqual(new Set(seen).size, seen.length);
});

Deno.test("LineSearch ends with the reason of its signal while others have their turn", async () => {
  const controller = new AbortController();
  const line = { offset: 0, text: "a", end: 2 };
  const options = { limit: 100, maxText: 100 };
  const first = new LineSearch({ ...options, isMatch: work, signal: new AbortController().signal });
  const second = new LineSearch({ ...options, isMatch: work, signal: controller.signal });
  const both = Promise.allSettled([first.search([line]), second.search([line])]);
  controller.abort(new Error("stopped"));
  const [found, ended] = await both;
  deepStrictEqual(found.status, "fulfilled");
  ok(ended.status === "rejected" && ended.reason.message === "stopped");
});
