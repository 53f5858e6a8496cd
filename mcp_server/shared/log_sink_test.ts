import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { stderrSink, toJsonLine } from "./log.ts";

Deno.test("stderrSink() blocks no caller if nobody reads, and reports how much it dropped", async () => {
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
  for (let line = 0; line < 3_000; line++) sink.write(`${"x".repeat(999)}\n`);
  read.resolve();
  await sink.flush();
  strictEqual(text.startsWith("first\nxxx"), true);
  strictEqual(text.length < 1_100_000, true, String(text.length));
  strictEqual(/"message":"\d{4} lines dropped"\}\n$/.test(text), true);
});

Deno.test("stderrSink() writes whole lines in order, however little is accepted per write", async () => {
  let text = "";
  const sink = stderrSink({
    write: (bytes) => {
      text += String.fromCharCode(bytes[0] ?? 0);
      return Promise.resolve(1);
    },
  });
  sink.write("one\n");
  sink.write("two\n");
  await sink.flush();
  strictEqual(text, "one\ntwo\n");
});

Deno.test("stderrSink() writes lines that follow each other at once, and without delay if one waits", async () => {
  const writes: string[] = [];
  const sink = stderrSink({
    write: (bytes) => {
      writes.push(new TextDecoder().decode(bytes));
      return Promise.resolve(bytes.length);
    },
  });
  sink.write("end of a call\n");
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  sink.write("start of the next\n");
  await sink.written();
  deepStrictEqual(writes, ["end of a call\nstart of the next\n"]);
  sink.write("last\n");
  await sink.flush();
  deepStrictEqual(writes.slice(1), ["last\n"]);
});

Deno.test("toJsonLine() leaves no control character in a line, and changes no value", () => {
  const controls = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)).join("");
  const record = { [`key${controls}`]: `€ ${controls} \u2028 \u2029 \u{1f600} \ud800` };
  const line = toJsonLine(JSON.stringify(record));
  deepStrictEqual(JSON.parse(line), record);
  strictEqual(/^[^\p{Cc}\p{Zl}\p{Zp}]+\n$/u.test(line), true, line);
});
