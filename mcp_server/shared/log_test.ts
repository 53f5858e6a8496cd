import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createLog, type LogLevel } from "./log.ts";

function setUp(level: LogLevel = "debug", replacer = (_: string, value: unknown) => value) {
  const lines: string[] = [];
  const log = createLog({ level, replacer, write: (line) => lines.push(line) }, { tool: "t" });
  return { log, lines, records: () => lines.map((line) => JSON.parse(line)) };
}

Deno.test("createLog() writes one JSON line per message, whatever it contains", () => {
  const { log, lines, records } = setUp();
  log.info("two\nlines", { path: "/a" });
  strictEqual(lines.length, 1);
  strictEqual(lines[0]?.indexOf("\n"), lines[0]!.length - 1);
  const [{ time, ...rest }] = records();
  strictEqual(new Date(time).toISOString(), time);
  deepStrictEqual(rest, { level: "info", message: "two\nlines", tool: "t", path: "/a" });
});

Deno.test("createLog() leaves out what is below its level", () => {
  const { log, records } = setUp("warn");
  log.debug("a");
  log.info("b");
  log.warn("c");
  log.error("d");
  deepStrictEqual(records().map(({ message }) => message), ["c", "d"]);
});

Deno.test("createLog() never throws: circles, big integers and errors are written as text", () => {
  const { log, records } = setUp();
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  log.warn("circle", { circle });
  log.warn("big", { n: 1n });
  log.warn("error", { error: new TypeError("broken") });
  deepStrictEqual(records().map(({ message }) => message), ["circle", "big", "error"]);
  strictEqual(records()[1].n, "1");
  strictEqual(records()[2].error.startsWith("TypeError: broken"), true);
});

Deno.test("createLog() passes every field to the redactor, including the text of errors", () => {
  const { log, lines } = setUp(
    "debug",
    (_, value) => typeof value === "string" ? value.replaceAll("hunter2", "*") : value,
  );
  log.error("hunter2", { error: new Error("hunter2"), deep: [{ a: "hunter2" }] });
  strictEqual(lines[0]?.includes("hunter2"), false);
});
