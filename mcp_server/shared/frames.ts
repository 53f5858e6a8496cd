/** A message: JSON, except for one `ArrayBuffer` at most, as a value of its own or in a list. */
export type Message = object;

/** Both lengths, 32 bits each: that of the JSON text, and that of the bytes after it. */
const HEADER_BYTES = 8;
/** Added to the length of the bytes, so that 0 means that there are none. */
const HAS_BYTES = 1;
/** Where the buffer was in a message that has one. */
const BYTES = "bytes of this frame";

/** Encodes a message: its lengths, its JSON text, and the bytes of its buffer. */
export function encodeFrame(message: Message): Uint8Array<ArrayBuffer> {
  const buffer = Object.values(message).flat().find((value) => value instanceof ArrayBuffer);
  const replace = (_key: string, value: unknown) => value === buffer ? { [BYTES]: true } : value;
  const json = new TextEncoder().encode(
    buffer === undefined ? JSON.stringify(message) : JSON.stringify(message, replace),
  );
  const frame = new Uint8Array(HEADER_BYTES + json.length + (buffer?.byteLength ?? 0));
  const header = new DataView(frame.buffer);
  header.setUint32(0, json.length);
  frame.set(json, HEADER_BYTES);
  if (buffer === undefined) return frame;
  header.setUint32(4, HAS_BYTES + buffer.byteLength);
  frame.set(new Uint8Array(buffer), HEADER_BYTES + json.length);
  return frame;
}

/** Finds the messages in chunks of bytes, which may start and end anywhere. */
export class FrameReader<Read extends Message> {
  readonly #mostBytes: number;
  /** The chunks of the frame that has not ended. */
  #parts: Uint8Array[] = [];
  #size = 0;
  /** The size of that frame; of its header until that has arrived. */
  #needed = HEADER_BYTES;

  /** Takes the size of the largest message, with its header. @default {no bound} */
  constructor(mostBytes: number = Infinity) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Takes a chunk, and yields the messages that it ends. Throws a `RangeError` for a message that is
   * too large, before it has arrived.
   */
  *read(chunk: Uint8Array): Generator<Read> {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#needed) {
      const bytes = join(this.#parts, this.#size);
      this.#parts = [bytes];
      if (this.#needed === HEADER_BYTES) {
        this.#needed = this.#sizeOf(bytes);
        if (this.#size < this.#needed) return;
      }
      const rest = bytes.subarray(this.#needed);
      const message = decodeFrame<Read>(bytes.subarray(0, this.#needed));
      this.#parts = [rest];
      this.#size = rest.length;
      this.#needed = HEADER_BYTES;
      yield message;
    }
  }

  #sizeOf(bytes: Uint8Array): number {
    const { json, buffer = 0 } = lengthsOf(bytes);
    const size = HEADER_BYTES + json + buffer;
    if (size <= this.#mostBytes) return size;
    throw new RangeError(`Cannot read a message of ${size} bytes: ${this.#mostBytes} are the most`);
  }
}

/** The lengths in a header; none of a buffer if there is none. */
function lengthsOf({ buffer, byteOffset }: Uint8Array): { json: number; buffer?: number } {
  const header = new DataView(buffer, byteOffset);
  const bytes = header.getUint32(4);
  return { json: header.getUint32(0), buffer: bytes === 0 ? undefined : bytes - HAS_BYTES };
}

function decodeFrame<Read extends Message>(frame: Uint8Array): Read {
  const { json, buffer } = lengthsOf(frame);
  const text = new TextDecoder().decode(frame.subarray(HEADER_BYTES, HEADER_BYTES + json));
  if (buffer === undefined) return JSON.parse(text);
  const bytes = frame.slice(HEADER_BYTES + json).buffer;
  return JSON.parse(text, (_key, value) => isBytes(value) ? bytes : value);
}

function isBytes(value: unknown): boolean {
  return typeof value === "object" && value !== null && BYTES in value;
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
