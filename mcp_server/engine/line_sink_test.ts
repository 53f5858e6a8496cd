import { strictEqual, throws } from "node:assert/strict";
import { fileSink, stderrSink } from "./line_sink.ts";

Deno.test("fileSink() appends lines to a file that only its owner reads, in their order", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/audit.jsonl`;
    const sink = fileSink(path, stderrSink());
    sink.writeSoon("one\n");
    sink.writeSoon("two\n");
    strictEqual(await Deno.readTextFile(path), "");
    sink.write("drei zwölf\n");
    strictEqual(await Deno.readTextFile(path), "one\ntwo\ndrei zwölf\n");
    sink.writeSoon("four\n");
    await new Promise((resolve) => setTimeout(resolve, 50));
    strictEqual(await Deno.readTextFile(path), "one\ntwo\ndrei zwölf\nfour\n");
    strictEqual((await Deno.stat(path)).mode! & 0o777, 0o600);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("fileSink() holds no more than 64 KiB back", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/audit.jsonl`;
    const sink = fileSink(path, stderrSink());
    for (let line = 0; line < 1_000; line++) sink.writeSoon(`${"ä".repeat(99)}\n`);
    const { size } = await Deno.stat(path);
    strictEqual(size > 199_000 - 2 * 64 * 1024 && size < 199_000, true, String(size));
    sink.writeSoon(`${"x".repeat(70_000)}\n`);
    strictEqual((await Deno.stat(path)).size, 199_000 + 70_001);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("fileSink() throws where the file can't be opened", () => {
  throws(() => fileSink("/nowhere/audit.jsonl", stderrSink()), Deno.errors.NotFound);
});

Deno.test("fileSink() hands on what it can't write", () => {
  const lost: string[] = [];
  const fallback = { write: (line: string) => lost.push(line), writeSoon() {}, flush() {} };
  fileSink("/dev/full", fallback).write("line\n");
  strictEqual(lost.join(""), "line\n");
});
