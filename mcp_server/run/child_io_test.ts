import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { readOutput } from "./child_io.ts";

Deno.test("readOutput() keeps the stream, and reports its bytes, with text of whole characters", async () => {
  const texts: string[] = [];
  const bytes: number[] = [];
  const { ended, capture } = readOutput(toStream([[0x61, 0xe2], [0x82], [0xac, 0x62], [0xc3]]), {
    limit: 100,
    onPiece: (piece) => {
      texts.push(piece.text);
      bytes.push(...piece.bytes);
    },
  });
  await ended;
  strictEqual(capture.text(), "a€b\ufffd");
  deepStrictEqual(texts, ["a", "", "€b", "", "\ufffd"]);
  deepStrictEqual(bytes, [0x61, 0xe2, 0x82, 0xac, 0x62, 0xc3]);
});

Deno.test("readOutput() ends when it is closed, even if the stream continues", async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    type: "bytes",
    pull: (controller) => controller.enqueue(Uint8Array.of(0x61)),
    cancel: () => void (cancelled = true),
  });
  const reader = readOutput(stream, { limit: 4 });
  await reader.close();
  await reader.ended;
  ok(cancelled);
});

Deno.test("readOutput() lets timers run while a stream floods", async () => {
  let chunks = 0;
  const stream = new ReadableStream<Uint8Array>({
    type: "bytes",
    pull: (controller) => {
      if (++chunks > 64) throw new RangeError("Cannot end the flood: no timer runs");
      controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  const reader = readOutput(stream, { limit: 4 });
  setTimeout(() => reader.close());
  await reader.ended;
  ok(chunks < 64);
});

Deno.test("readOutput() rejects if a stream can't be read", async () => {
  const stream = new ReadableStream<Uint8Array>({
    type: "bytes",
    pull: () => Promise.reject(new Error("broken")),
  });
  await rejects(readOutput(stream, { limit: 4 }).ended, /broken/);
});

function toStream(chunks: number[][]): ReadableStream<Uint8Array> {
  const rest = chunks.values();
  return new ReadableStream({
    type: "bytes",
    pull: (controller) => {
      const { value, done } = rest.next();
      if (value !== undefined) controller.enqueue(Uint8Array.from(value));
      if (done) {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
  });
}
