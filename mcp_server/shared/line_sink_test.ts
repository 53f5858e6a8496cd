import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { stderrSink, toJsonLine } from "./line_sink.ts";

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

const LINES = 60;
/** More than a pipe holds. */
const FLOOD = 3_000;

/** Writes lines one by one, then many at once, and says on stdout that it goes on. */
const WRITER = `
  import { stderrSink } from "${new URL("./line_sink.ts", import.meta.url)}";
  const sink = stderrSink();
  for (let line = 0; line < ${LINES}; line++) {
    sink.write(line + "\\n");
    await sink.written();
  }
  for (let line = ${LINES}; line < ${FLOOD}; line++) sink.write(line + "x".repeat(100) + "\\n");
  await new Promise((resolve) => setTimeout(resolve));
  console.log("goes on");
  await sink.flush();
`;

Deno.test("stderrSink() writes every line in order to a pipe that is read late", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", WRITER],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdout = child.stdout.getReader();
  strictEqual(new TextDecoder().decode((await stdout.read()).value), "goes on\n");
  await stdout.cancel();
  const lines = (await child.stderr.text()).split("\n");
  deepStrictEqual(
    lines.map((line) => parseInt(line)),
    [...Array.from({ length: FLOOD }, (_, line) => line), NaN],
  );
  strictEqual((await child.status).success, true);
});

Deno.test("stderrSink() leaves nothing out of a file that stdout shares", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/log`;
  const script = `"$0" eval "$1" > "$2" 2>&1`;
  const args = ["-c", script, Deno.execPath(), WRITER, path];
  strictEqual((await new Deno.Command("sh", { args }).output()).success, true);
  const lines = (await Deno.readTextFile(path)).split("\n");
  strictEqual(lines.includes("goes on"), true);
  deepStrictEqual(
    lines.filter((line) => line !== "goes on").map((line) => parseInt(line)),
    [...Array.from({ length: FLOOD }, (_, line) => line), NaN],
  );
});

Deno.test("toJsonLine() leaves no control character in a line, and changes no value", () => {
  const controls = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)).join("");
  const record = { [`key${controls}`]: `€ ${controls} \u2028 \u2029 \u{1f600} \ud800` };
  const line = toJsonLine(JSON.stringify(record));
  deepStrictEqual(JSON.parse(line), record);
  strictEqual(/^[^\p{Cc}\p{Zl}\p{Zp}]+\n$/u.test(line), true, line);
});
