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

Deno.test("stderrSink() holds nobody up where nobody reads, and says how much it dropped", async () => {
  const read = Promise.withResolvers<void>();
  let text = "";
  const sink = stderrSink({
    write: async (bytes) => {
      await read.promise;
      text += new TextDecoder().decode(bytes);
      return bytes.length;
    },
  });
  sink.write("first\n");
  await Promise.resolve();
  for (let line = 0; line < 3_000; line++) sink.writeSoon(`${"x".repeat(999)}\n`);
  read.resolve();
  await sink.flush();
  strictEqual(text.startsWith("first\nxxx"), true);
  strictEqual(text.length < 1_100_000, true, String(text.length));
  strictEqual(/"message":"\d{4} lines dropped"\}\n$/.test(text), true);
});

Deno.test("stderrSink() writes lines whole and in their order, however little is taken at once", async () => {
  let text = "";
  const sink = stderrSink({
    write: (bytes) => {
      text += String.fromCharCode(bytes[0] ?? 0);
      return Promise.resolve(1);
    },
  });
  sink.write("one\n");
  sink.writeSoon("two\n");
  await sink.flush();
  strictEqual(text, "one\ntwo\n");
});
