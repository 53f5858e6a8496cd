import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { OutputDigest, type OutputEvent } from "./command.ts";

function setUp(maxChars: number) {
  const events: OutputEvent[] = [];
  const digest = new OutputDigest({
    emit: (event) => events.push(event),
    intervalMs: 1_000_000,
    maxChars,
  });
  return { digest, events };
}

Deno.test("OutputDigest joins the pieces of each stream and command", () => {
  const { digest, events } = setUp(100);
  using _ = digest;
  digest.add({ stream: "stdout", text: "a" });
  digest.add({ stream: "stderr", text: "e" });
  digest.add({ stream: "stdout", text: "b" });
  digest.add({ stream: "stdout", text: "c", command: 1 });
  digest.flush();
  deepStrictEqual(events, [
    { stream: "stdout", text: "ab" },
    { stream: "stderr", text: "e" },
    { stream: "stdout", text: "c", command: 1 },
  ]);
});

Deno.test("OutputDigest reports how much of a flood it leaves out, and starts again after it", () => {
  const { digest, events } = setUp(10);
  using _ = digest;
  for (let i = 0; i < 1_000; i++) digest.add({ stream: "stdout", text: "0123456" });
  digest.flush();
  match(events[0]!.text, /^0123456012\n\[\.\.\. 6990 characters not shown here \.\.\.\]\n$/);
  digest.add({ stream: "stdout", text: "next" });
  digest.flush();
  strictEqual(events[1]?.text, "next");
});

Deno.test("OutputDigest cuts between characters", () => {
  const { digest, events } = setUp(10);
  digest.add({ stream: "stdout", text: `x${"😀".repeat(10)}` });
  digest[Symbol.dispose]();
  match(events[0]!.text, /^x😀😀😀😀\n\[\.\.\. 12 characters/);
});

Deno.test("OutputDigest passes on what it holds when it is disposed of", () => {
  const { digest, events } = setUp(10);
  digest.add({ stream: "stdout", text: "last" });
  digest[Symbol.dispose]();
  strictEqual(events[0]?.text, "last");
});
