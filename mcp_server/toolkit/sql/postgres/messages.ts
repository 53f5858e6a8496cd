import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";

/** Reads the answer to a statement, and knows what of it is worth keeping. */
export interface MessageReader {
  /** Whether rows are no longer read. */
  readonly full: boolean;
  /** Whether to read a row of that many bytes; asked for large rows, after all rows before it. */
  wantsRow(bytes: number): boolean;
  /** Called for each message with data of `COPY ... TO STDOUT`. */
  onCopyData(): void;
}

/** A stream of messages, and `pg`'s way of reading one. */
export interface MessageSource {
  attachListeners(stream: MessageStream): void;
}

/** The part of a socket that `pg` reads messages from. */
export interface MessageStream {
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  destroy?(error: Error): unknown;
}

/** A message's type and its length, which counts itself (PostgreSQL manual, 55.7). */
const HEADER_BYTES = 5;
/** Rows above this are asked for one by one. */
const LARGE_ROW_BYTES = 65_536;
/** An error is cut after it; most are some hundred bytes. */
const ERROR_BYTES = 65_536;
/** Beside rows and errors nothing is as long: 1,664 column names are 140 kB. */
const MESSAGE_BYTES = 4_194_304;
/** Ends the field of an error that was cut, and the error. */
const END_OF_ERROR = Buffer.alloc(2);
const [ROW, ERROR, NOTICE, NOTIFICATION, COPY_DATA] = [..."DENAd"].map((type) =>
  type.charCodeAt(0)
);

/** Sets the reader of the running statement; without one, rows are dropped. */
export type CurrentReader = () => MessageReader | undefined;

/**
 * Bounds what a server makes `pg` buffer, which keeps each message until it is whole. Notices and
 * notifications, which nobody reads, rows and copied data that nobody wants are dropped as they
 * come; errors are cut. Whatever else is too long ends the connection.
 */
export function filterMessages(source: MessageSource, reader: CurrentReader): void {
  const attach = source.attachListeners.bind(source);
  source.attachListeners = (stream) => {
    const filtered = new EventEmitter();
    const filter = new MessageFilter(reader, (part) => void filtered.emit("data", part));
    stream.on("data", (chunk) => {
      try {
        filter.push(chunk);
      } catch (error) {
        stream.destroy?.(error instanceof Error ? error : new Error(String(error)));
      }
    });
    stream.on("end", () => void filtered.emit("end"));
    attach(filtered);
  };
}

/** Follows the headers of messages through chunks that are cut anywhere. */
export class MessageFilter {
  readonly #reader: CurrentReader;
  readonly #forward: (part: Buffer) => void;
  /** The start of a header that the last chunk cut. */
  #header: Buffer = Buffer.alloc(0);
  /** Bytes of the message that still go on, what is put after them, and bytes dropped then. */
  #pass = 0;
  #tail: Buffer | undefined;
  #drop = 0;
  /** Of the chunk, what lies between these goes on. */
  #chunk: Buffer = Buffer.alloc(0);
  #from = 0;
  #at = 0;

  constructor(reader: CurrentReader, forward: (part: Buffer) => void) {
    this.#reader = reader;
    this.#forward = forward;
  }

  /** Takes a chunk; throws if it can't be a server's. */
  push(chunk: Buffer): void {
    this.#chunk = this.#header.length > 0 ? Buffer.concat([this.#header, chunk]) : chunk;
    this.#header = Buffer.alloc(0);
    this.#from = this.#at = 0;
    while (this.#at < this.#chunk.length) {
      if (this.#pass > 0) this.#pass -= this.#advance(this.#pass);
      else if (this.#drop > 0) this.#drop -= this.#skip(this.#drop);
      else if (this.#chunk.length - this.#at >= HEADER_BYTES) this.#start();
      else this.#keepHeader();
      if (this.#pass === 0) this.#endCut();
    }
    this.#flush();
    this.#chunk = Buffer.alloc(0);
  }

  /** Reads a header, which the chunk holds whole. */
  #start(): void {
    const type = this.#chunk[this.#at];
    const length = this.#chunk.readUInt32BE(this.#at + 1);
    const body = length - 4;
    if (body < 0) throw new Error(`Cannot read a message of PostgreSQL: its length is ${length}`);
    if (type === ERROR && body > ERROR_BYTES) return this.#cutError(body);
    if (!this.#wants(type, body)) {
      this.#drop = body;
      this.#skip(HEADER_BYTES);
      return;
    }
    if (type !== ROW && body > MESSAGE_BYTES) {
      throw new Error(`Cannot read a message of PostgreSQL: it has ${body} bytes`);
    }
    this.#pass = body;
    this.#advance(HEADER_BYTES);
  }

  #wants(type: number | undefined, bytes: number): boolean {
    if (type === COPY_DATA) this.#reader()?.onCopyData();
    if (type !== ROW) return type !== COPY_DATA && type !== NOTICE && type !== NOTIFICATION;
    if (bytes > LARGE_ROW_BYTES) this.#flush();
    const reader = this.#reader();
    if (reader === undefined || reader.full) return false;
    return bytes <= LARGE_ROW_BYTES || reader.wantsRow(bytes);
  }

  /** Sends an error on with its first bytes, as a message that is whole. */
  #cutError(body: number): void {
    const header = Buffer.from(this.#chunk.subarray(this.#at, this.#at + HEADER_BYTES));
    header.writeUInt32BE(4 + ERROR_BYTES + END_OF_ERROR.length, 1);
    this.#skip(HEADER_BYTES);
    this.#forward(header);
    this.#pass = ERROR_BYTES;
    this.#tail = END_OF_ERROR;
    this.#drop = body - ERROR_BYTES;
  }

  #endCut(): void {
    if (this.#tail === undefined) return;
    this.#flush();
    this.#forward(this.#tail);
    this.#tail = undefined;
  }

  #keepHeader(): void {
    this.#header = Buffer.from(this.#chunk.subarray(this.#at));
    this.#skip(HEADER_BYTES);
  }

  /** Moves on over bytes that go on; answers how many. */
  #advance(bytes: number): number {
    const taken = Math.min(bytes, this.#chunk.length - this.#at);
    this.#at += taken;
    return taken;
  }

  /** Moves on over bytes that are dropped; answers how many. */
  #skip(bytes: number): number {
    this.#flush();
    const taken = this.#advance(bytes);
    this.#from = this.#at;
    return taken;
  }

  #flush(): void {
    if (this.#at > this.#from) this.#forward(this.#chunk.subarray(this.#from, this.#at));
    this.#from = this.#at;
  }
}
