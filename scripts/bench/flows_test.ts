import { deepStrictEqual } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { linesRun, parseLcov } from "./flows.ts";

const lcov = (...counts: number[]) =>
  [`SF:${ROOT}/tools/a.ts`, ...counts.map((count, at) => `DA:${at + 1},${count}`), "end_of_record"]
    .join("\n");

Deno.test("parseLcov() reads how often each line of a file ran", () => {
  const counts = parseLcov(`${lcov(7, 0)}\nSF:/elsewhere/b.ts\nDA:3,1\nend_of_record\n`);
  deepStrictEqual([...counts].map(([file, lines]) => [file, [...lines]]), [
    ["tools/a.ts", [[1, 7], [2, 0]]],
    ["/elsewhere/b.ts", [[3, 1]]],
  ]);
});

Deno.test("linesRun() counts the lines that requests ran, without those of a start", () => {
  const ran = linesRun(parseLcov(lcov(5, 6, 1, 4)), parseLcov(lcov(0, 6, 0, 1)));
  deepStrictEqual([...ran], [["tools/a.ts", 1]]);
  deepStrictEqual([...linesRun(parseLcov(lcov(4)), parseLcov(lcov(1)))], []);
});
