import { deepStrictEqual, throws } from "node:assert/strict";
import { encodeFrame, FrameReader, type Message } from "./frames.ts";

/** Reads bytes in pieces of one size. */
function decode(bytes: Uint8Array, size: number, mostBytes?: number): Message[] {
  const reader = new FrameReader(mostBytes);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => {
    return bytes.slice(at * size, (at + 1) * size);
  });
  return pieces.flatMap((piece) => [...reader.read(piece)]);
}

const BYTES = Uint8Array.of(0, 255, 10, 123).buffer;
const MESSAGES: Message[] = [
  { name: "write", args: [3, BYTES, 0] },
  { name: "open", args: ['/a "b"\né\u0000', 0, 384] },
  { ok: true, value: BYTES },
  { ok: true, value: new ArrayBuffer(0) },
  { ok: true, value: { kind: "file", mode: 33188, size: 2 ** 40 } },
  { ok: false, name: "Error", message: "ENOENT", code: "ENOENT" },
];

Deno.test("FrameReader reads what encodeFrame() writes, however it is cut", () => {
  const frames = MESSAGES.map(encodeFrame);
  const all = Uint8Array.from(frames.flatMap((frame) => [...frame]));
  for (const size of [1, 7, 64, all.length]) deepStrictEqual(decode(all, size), MESSAGES);
});

Deno.test("FrameReader ends without the rest of a message that is cut off", () => {
  const frame = encodeFrame({ ok: true, value: BYTES });
  deepStrictEqual(decode(frame.subarray(0, -1), 64), []);
});

Deno.test("FrameReader refuses a message that is too large, before it has arrived", () => {
  const header = new Uint8Array(8).fill(255);
  throws(
    () => decode(header, 8, 4 * 1024 * 1024),
    /^RangeError: Cannot read a message of \d+ bytes: \d+ are the most$/,
  );
});
