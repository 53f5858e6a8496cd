import { deepStrictEqual, throws } from "node:assert/strict";
import { findUnclear, parseHolders, parseSeen } from "./process_table.ts";

const REST = "-1 4194304 160 0 0 0 0 0 0 0 20 0 1 0 104 2965504 224";

Deno.test("parseSeen() joins the live processes with the words that they carry", () => {
  const answer = `/proc/12/environ:one
/proc/13/environ:two
/proc/13/environ:one
/proc/14/environ:one
11 (sh) S 1 10 10 0 ${REST}
12 (sleep) S 1 12 12 0 ${REST}
13 (other) S 1 13 13 0 ${REST}
`;
  deepStrictEqual(parseSeen([answer], ["one", "two", "none"]), [
    { pid: 11, group: 10, words: [] },
    { pid: 12, group: 12, words: ["one"] },
    { pid: 13, group: 13, words: ["one", "two"] },
  ]);
});

Deno.test("parseSeen() finds what an earlier scan saw and the latest one saw alive", () => {
  const alive = `12 (sleep) S 1 12 12 0 ${REST}\n`;
  const answers = [`/proc/12/environ:one\n/proc/13/environ:one\n${alive}`, alive];
  deepStrictEqual(parseSeen(answers, ["one"]), [{ pid: 12, group: 12, words: ["one"] }]);
});

Deno.test("findUnclear() finds a process whose environment was empty and is not by now", () => {
  const stat = Deno.readTextFileSync(`/proc/self/stat`);
  deepStrictEqual(findUnclear(stat), new Set([Deno.pid]));
  deepStrictEqual(findUnclear(`/proc/${Deno.pid}/environ:P\n${stat}`), new Set());
});

Deno.test("parseSeen() rejects an answer without any process", () => {
  throws(() => parseSeen([""], ["id"]), /^Error: Cannot look up processes: /);
});

Deno.test("parseHolders() compares the pipes of outputs, not those that the server inherited or writes to", () => {
  const link = (fd: number, target: string) =>
    `lr-x------ 1 root root 64 Jul 30 20:16 ${fd} -> ${target}`;
  const answer = [
    "/proc/1/fdinfo/9:flags:\t01",
    "/proc/1/fdinfo/20:flags:\t02004000",
    "/proc/1/fdinfo/21:flags:\t02004001",
    "process 1",
    link(9, "pipe:[900]"),
    link(20, "pipe:[500]"),
    link(21, "pipe:[600]"),
    "process 11",
    link(1, "pipe:[500]"),
    "process 12",
    link(9, "pipe:[900]"),
    link(1, "/tmp/pipe:[500] -> pipe:[500]x"),
    "process 13",
    link(0, "pipe:[600]"),
    "",
  ].join("\n");
  deepStrictEqual(parseHolders(answer), new Set([11]));
});
