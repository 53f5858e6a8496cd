import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  environBytes,
  isInheritable,
  isOutputEnd,
  parsePipe,
  parseStartTime,
  parseStat,
} from "./proc_format.ts";

const REST = "-1 4194304 160 0 0 0 0 0 0 0 20 0 1 0 104 2965504 224";

for (
  const [what, line, process] of [
    ["a process", `42 (sleep) S 1 40 40 0 ${REST}`, { pid: 42, group: 40 }],
    ["a zombie", `42 (sleep) Z 1 40 40 0 ${REST}`, undefined],
    ["a zombie with threads", `42 (deno) Z 1 40 40 0 ${REST.replace("0 1 0 104", "0 9 0 104")}`, {
      pid: 42,
      group: 40,
    }],
    ["a dead process", `42 (sleep) X 1 40 40 0 ${REST}`, undefined],
    ["a name like a line", `42 (x) Z 1 7 7) R 1 40 40 0 ${REST}`, { pid: 42, group: 40 }],
    ["another namespace's process", `42 (sh) R 0 0 0 0 ${REST}`, { pid: 42, group: 0 }],
    ["nothing", "", undefined],
    ["another line", "/proc/42/environ", undefined],
  ] as const
) {
  Deno.test(`parseStat() reads ${what}`, () => deepStrictEqual(parseStat(line), process));
}

for (
  const [what, size, code, start, end, bytes] of [
    ["a process inside execve(2)", 135168, 0, 0, 0, NaN],
    ["a process with an environment", 2965504, 4194304, 140722, 140999, 277],
    ["a process without an environment", 2965504, 4194304, 140722, 140722, 0],
    ["a process that may not be read", 2965504, 1, 0, 0, 0],
    ["a thread of the kernel", 0, 0, 0, 0, 0],
  ] as const
) {
  Deno.test(`environBytes() reads the line of ${what}`, () => {
    const before = "-1 4194304 160 0 0 0 0 0 0 0 20 0 1 0 104";
    const between = Array(23).fill(0).join(" ");
    const line =
      `42 (x) y) S 1 40 40 0 ${before} ${size} 224 18446744073709551615 ${code} ${between} ${start} ${end} 0\n`;
    strictEqual(environBytes(line), bytes);
  });
}

Deno.test("environBytes() reads the line of a zombie", () => {
  strictEqual(environBytes(`42 (sleep) Z 1 40 40 0 ${REST}`), 0);
});

const AFTER = "1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0";

Deno.test("parseStartTime() reads when a process started, whatever its name, until it has ended", () => {
  strictEqual(parseStartTime(`7 (a) S ${AFTER} 4711 9 9`), "4711");
  strictEqual(parseStartTime(`7 () Z 1 (b) R ${AFTER} 4711 9 9`), "4711");
  strictEqual(parseStartTime(`7 (a) Z ${AFTER} 4711 9 9`), undefined);
  strictEqual(parseStartTime(""), undefined);
});

Deno.test("parsePipe() distinguishes a pipe from other files", () => {
  const targets = ["pipe:[123]", "socket:[123]", "/tmp/pipe:[123]", "/dev/null"];
  deepStrictEqual(targets.map(parsePipe), ["123", undefined, undefined, undefined]);
});

Deno.test("isInheritable() reads O_CLOEXEC", () => {
  strictEqual(isInheritable("pos:\t0\nflags:\t02004000\nmnt_id:\t15\n"), false);
  strictEqual(isInheritable("pos:\t0\nflags:\t0100001\nmnt_id:\t15\n"), true);
  strictEqual(isInheritable("flags:\t02000000"), false);
  strictEqual(isInheritable(""), true);
});

Deno.test("isOutputEnd() distinguishes what the server reads from what it inherited or writes to", () => {
  strictEqual(isOutputEnd("flags:\t02004000\n"), true);
  strictEqual(isOutputEnd("flags:\t02004001\n"), false);
  strictEqual(isOutputEnd("flags:\t02004002\n"), false);
  strictEqual(isOutputEnd("flags:\t04000\n"), false);
  strictEqual(isOutputEnd(""), false);
});
