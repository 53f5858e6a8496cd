import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { CommandInput } from "./command_input.ts";

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
