import { deepStrictEqual, rejects } from "node:assert/strict";
import { encodeFrame, readFrames } from "./file_frames.ts";
import type { FileReply, FileRequest } from "./file_operations.ts";

/** A stream in pieces of one size. */
function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => {
    return bytes.slice(at * size, (at + 1) * size);
  });
  return ReadableStream.from(pieces);
}

async function decode(bytes: Uint8Array, size: number): Promise<(FileRequest | FileReply)[]> {
  return await Array.fromAsync(readFrames(inPieces(bytes, size)));
}

const BYTES = Uint8Array.of(0, 255, 10, 123).buffer;
const MESSAGES: (FileRequest | FileReply)[] = [
  { name: "write", args: [3, BYTES, 0] },
  { name: "open", args: ['/a "b"\né\u0000', 0, 384] },
  { ok: true, value: BYTES },
  { ok: true, value: new ArrayBuffer(0) },
  { ok: true, value: { kind: "file", mode: 33188, size: 2 ** 40 } },
  { ok: false, name: "Error", message: "ENOENT", code: "ENOENT" },
];

Deno.test("readFrames() reads what encodeFrame() writes, however it is cut", async () => {
  const frames = MESSAGES.map(encodeFrame);
  const all = new Uint8Array(await new Blob(frames).arrayBuffer());
  for (const size of [1, 7, 64, all.length]) deepStrictEqual(await decode(all, size), MESSAGES);
});

Deno.test("readFrames() ends without the rest of a message that is cut off", async () => {
  const frame = encodeFrame({ ok: true, value: BYTES });
  deepStrictEqual(await decode(frame.subarray(0, -1), 64), []);
});

Deno.test("readFrames() refuses a message that is too large, before it has arrived", async () => {
  const header = new Uint8Array(8).fill(255);
  await rejects(
    decode(header, 8),
    /^RangeError: Cannot read a message of \d+ bytes: \d+ are the most$/,
  );
});
