import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { CommandInput, readOutput } from "./child_io.ts";

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

/** A command's end of the pipe: what it has read, and a writer that waits while it does not read. */
function createReader() {
  const read: number[] = [];
  let room = Promise.withResolvers<void>();
  let closed = false;
  const stream = new WritableStream<Uint8Array>({
    async write(bytes) {
      await room.promise;
      read.push(...bytes.subarray(0, 8));
    },
    close: () => void (closed = true),
  });
  return {
    read,
    isClosed: () => closed,
    writer: stream.getWriter(),
    go: () => room.resolve(),
    hold: () => room = Promise.withResolvers(),
  };
}

Deno.test("CommandInput keeps what is written before the command starts, and closes after it", async () => {
  const input = new CommandInput();
  const reader = createReader();
  reader.go();
  strictEqual(input.write(Uint8Array.of(1, 2)), "accepted");
  const fed = input.feed(reader.writer);
  const bytes = Uint8Array.of(3);
  input.write(bytes);
  bytes[0] = 9;
  strictEqual(input.end(), "accepted");
  await fed;
  deepStrictEqual([reader.read, reader.isClosed()], [[1, 2, 3], true]);
  deepStrictEqual([input.write(bytes), input.end()], ["closed", "closed"]);
});

Deno.test("CommandInput accepts 1 MiB that is not read, and more once it is", async () => {
  const input = new CommandInput();
  const reader = createReader();
  const half = new Uint8Array(512 * 1024);
  const fed = input.feed(reader.writer);
  deepStrictEqual([1, 2, 3].map(() => input.write(half)), ["accepted", "accepted", "full"]);
  strictEqual(input.write(Uint8Array.of(1)), "full");
  reader.go();
  while (input.write(half) !== "accepted") await Promise.resolve();
  input.end();
  await fed;
});

Deno.test("CommandInput takes one write of any size, and forgets the rest when it is closed", async () => {
  const input = new CommandInput();
  strictEqual(input.write(new Uint8Array(3 * 1024 * 1024)), "accepted");
  input.close();
  const reader = createReader();
  await input.feed(reader.writer);
  deepStrictEqual([reader.read, input.write(Uint8Array.of(1))], [[], "closed"]);
});
