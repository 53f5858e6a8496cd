import type { FolderOperations } from "../bounded/folder_operations.ts";
import type { FileReply } from "./file_operations.ts";

/** The flag that makes a server the process of one user's files, and nothing else. */
export const FILE_PROCESS_FLAG = "--file-process";

/** The first message to a file process. */
export interface BecomeRequest {
  /** The id of the user whose process it becomes; `null` if it stays that of its own user. */
  readonly become: number | null;
}

/** A later message: an operation. */
export interface ProcessRequest {
  readonly name: keyof FolderOperations;
  readonly args: readonly unknown[];
}

/** A message between a server and its file process. */
type Message = BecomeRequest | ProcessRequest | FileReply;

/** The largest message: a piece of a file, and as much again for the rest. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Both lengths, 32 bits each: that of the JSON text, and that of the bytes after it. */
const HEADER_BYTES = 8;
/** Where a buffer was in a message. */
const BYTES = "bytes of this frame";

/** Encodes a message: its lengths, its JSON text, and the buffer in it, of which it has one at most. */
export function encodeFrame(message: Message): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array(0);
  const text = JSON.stringify(message, (_key, value) => {
    if (!(value instanceof ArrayBuffer)) return value;
    bytes = new Uint8Array(value);
    return { [BYTES]: true };
  });
  const json = new TextEncoder().encode(text);
  const frame = new Uint8Array(HEADER_BYTES + json.length + bytes.length);
  const header = new DataView(frame.buffer);
  header.setUint32(0, json.length);
  header.setUint32(4, bytes.length);
  frame.set(json, HEADER_BYTES);
  frame.set(bytes, HEADER_BYTES + json.length);
  return frame;
}

/** Reads messages from a stream to its end. Throws a `RangeError` for one that is too large. */
export async function* readFrames<Read extends Message>(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Read> {
  let waiting = new Uint8Array(0);
  for await (const chunk of stream) {
    waiting = join(waiting, chunk);
    for (let size = sizeOf(waiting); size <= waiting.length; size = sizeOf(waiting)) {
      yield decodeFrame(waiting.subarray(0, size));
      waiting = waiting.subarray(size);
    }
  }
}

/** The size of the first frame, or `Infinity` while its header is not complete. */
function sizeOf(bytes: Uint8Array): number {
  if (bytes.length < HEADER_BYTES) return Infinity;
  const { buffer, byteOffset } = bytes;
  const header = new DataView(buffer, byteOffset);
  const size = HEADER_BYTES + header.getUint32(0) + header.getUint32(4);
  if (size <= MOST_BYTES) return size;
  throw new RangeError(`Cannot read a message of ${size} bytes: ${MOST_BYTES} are the most`);
}

function decodeFrame<Read extends Message>(frame: Uint8Array): Read {
  const start = HEADER_BYTES + new DataView(frame.buffer, frame.byteOffset).getUint32(0);
  const text = new TextDecoder().decode(frame.subarray(HEADER_BYTES, start));
  return JSON.parse(text, (_key, value) => isBytes(value) ? frame.slice(start).buffer : value);
}

function isBytes(value: unknown): boolean {
  return typeof value === "object" && value !== null && BYTES in value;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
