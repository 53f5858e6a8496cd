import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { firstOf } from "../../shared/concurrency.ts";
import { loadPackage } from "../../shared/environment.ts";
import type { PostgresOptions } from "./database_target.ts";

/** The part of `pg`'s connection that is used: messages of the protocol (manual, 55.7). */
export interface WireConnection extends MessageSource {
  readonly stream: { cork(): void; uncork(): void; destroy(): void };
  query(text: string): void;
  parse(message: { text: string; name: string }): void;
  bind(message: { portal: string; statement: string; values: (string | null)[] }): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  flush(): void;
  sync(): void;
  sendCopyFail(reason: string): void;
  on(event: "readyForQuery", listener: (message: { status: string }) => void): void;
  /** A setting of the session that the server reports (manual, 55.2.7). */
  on(
    event: "parameterStatus",
    listener: (message: { parameterName: string; parameterValue: string }) => void,
  ): void;
  on(event: "notice", listener: (message: WireNotice) => void): void;
}

/** The fields of a notice (manual, 55.8); one that was cut lacks some. */
export interface WireNotice {
  readonly severity?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

/** A column of an answer. */
export interface WireField {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The part of `pg`'s client that is used. */
export interface PostgresClient {
  readonly connection: WireConnection;
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  connect(): Promise<unknown>;
  /** Calls the methods `handle...` of an exchange as its messages arrive. */
  query(exchange: { submit(connection: WireConnection): null }): unknown;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "end", listener: () => void): void;
}

const CONNECT_MS = 5_000;

/** Creates a client that is not connected yet; `pg` is imported on the first call. */
export async function createPostgresClient(server: PostgresOptions): Promise<PostgresClient> {
  type Package = { default: { Client: new (config: object) => PostgresClient } };
  const { default: { Client } }: Package = await loadPackage("pg", () => import("pg"));
  return new Client({
    ...server,
    application_name: "trestle",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
}

/** Connects a client; rejects after 5 s, and at once if the signal aborts. */
export async function connectClient(client: PostgresClient, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const stop = () => client.connection.stream.destroy();
  using _deadline = firstOf({ signal }, stop);
  try {
    await client.connect();
  } catch (error) {
    stop();
    throw signal.aborted ? signal.reason : error;
  }
}

/** Reads the answer to a statement, and decides which parts to keep. */
export interface MessageReader {
  /** Whether rows are no longer read. */
  readonly full: boolean;
  /** Whether columns and tags are read, besides errors. */
  readonly readsAnswer: boolean;
  /** Whether "ready for query" ends the last statement; called for each. */
  isLastReady(): boolean;
  /**
   * Whether to read a row of that many bytes; called for large rows, after all rows before them.
   */
  wantsRow(bytes: number): boolean;
  /** Whether to read the notice that is next; called for each. */
  wantsNotice(): boolean;
  /** Called for each message with data of `COPY ... TO STDOUT`. */
  onCopyData(): void;
}

/** A stream of messages, and `pg`'s way of reading one. */
export interface MessageSource {
  attachListeners(stream: MessageStream): void;
}

/** The part of a socket that `pg` reads messages from. */
interface MessageStream {
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  pause?(): unknown;
  resume?(): unknown;
  destroy?(error: Error): unknown;
}

/** A message's type and its length, which counts itself (PostgreSQL manual, 55.7). */
const HEADER_BYTES = 5;
/** Rows above this size are read only if their reader wants them. */
const LARGE_ROW_BYTES = 65_536;
/** An error or a notice is cut after this size; most have a few hundred bytes. */
const ERROR_BYTES = 65_536;
/** Apart from rows and errors nothing is as long: 1,664 column names are 140 kB. */
const MESSAGE_BYTES = 4_194_304;
/**
 * The server sends each notice by itself, and to read a million of them takes seconds: after a chunk
 * below this size with some that nobody wants, the next one may grow for a moment.
 */
const SMALL_CHUNK_BYTES = 16_384;
const PAUSE_MS = 1;
/** Ends the field of an error that was cut, and the error. */
const END_OF_ERROR = Buffer.alloc(2);
const [ROW, ERROR, NOTICE, NOTIFICATION, COPY_DATA, READY] = [..."DENAdZ"].map((type) =>
  type.charCodeAt(0)
);
const ANSWER: ReadonlySet<number | undefined> = new Set(
  Array.from("TC", (type) => type.charCodeAt(0)),
);

/** Sets the reader of the running statement; without one, rows are dropped. */
type CurrentReader = () => MessageReader | undefined;

/**
 * Bounds what a server makes `pg` buffer, which keeps each message until it is complete.
 * Notifications, which nobody reads, and rows, tags, notices and copied data that nobody wants are
 * dropped as they arrive; errors and notices are cut. Any other message that is too long ends the
 * connection.
 */
export function filterMessages(source: MessageSource, reader: CurrentReader): void {
  const attach = source.attachListeners.bind(source);
  source.attachListeners = (stream) => {
    const filtered = new EventEmitter();
    const filter = new MessageFilter(reader, (part) => void filtered.emit("data", part));
    stream.on("data", (chunk) => {
      try {
        if (!filter.push(chunk) || chunk.length >= SMALL_CHUNK_BYTES) return;
        stream.pause?.();
        setTimeout(() => stream.resume?.(), PAUSE_MS);
      } catch (error) {
        stream.destroy?.(error instanceof Error ? error : new Error(String(error)));
      }
    });
    stream.on("end", () => void filtered.emit("end"));
    attach(filtered);
  };
}

/** Finds the headers of messages in chunks that may start and end anywhere. */
export class MessageFilter {
  readonly #reader: CurrentReader;
  readonly #forward: (part: Buffer) => void;
  /** The start of a header that the end of the last chunk cut off. */
  #header: Buffer = Buffer.alloc(0);
  /**
   * The bytes of the current message still to pass on, what is inserted after them, and the bytes
   * to drop then.
   */
  #pass = 0;
  #tail: Buffer | undefined;
  #drop = 0;
  /** Whether the chunk has notices that nobody wants. */
  #unwanted = false;
  /** The parts of the chunk between these positions are passed on. */
  #chunk: Buffer = Buffer.alloc(0);
  #from = 0;
  #at = 0;

  constructor(reader: CurrentReader, forward: (part: Buffer) => void) {
    this.#reader = reader;
    this.#forward = forward;
  }

  /**
   * Takes a chunk, and returns whether it has notices that nobody wants; throws if it can't come from
   * a PostgreSQL server.
   */
  push(chunk: Buffer): boolean {
    this.#unwanted = false;
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
    return this.#unwanted;
  }

  /** Reads a header, which the chunk contains completely. */
  #start(): void {
    const type = this.#chunk[this.#at];
    const length = this.#chunk.readUInt32BE(this.#at + 1);
    const body = length - 4;
    if (body < 0) throw new Error(`Cannot read a message of PostgreSQL: its length is ${length}`);
    if (!this.#wants(type, body)) {
      this.#drop = body;
      this.#skip(HEADER_BYTES);
      return;
    }
    if ((type === ERROR || type === NOTICE) && body > ERROR_BYTES) return this.#cutFields(body);
    if (type !== ROW && body > MESSAGE_BYTES) {
      throw new Error(`Cannot read a message of PostgreSQL: it has ${body} bytes`);
    }
    this.#pass = body;
    this.#advance(HEADER_BYTES);
  }

  #wants(type: number | undefined, bytes: number): boolean {
    if (type === COPY_DATA) this.#reader()?.onCopyData();
    if (type === NOTICE) {
      const wanted = this.#reader()?.wantsNotice() ?? false;
      this.#unwanted ||= !wanted;
      return wanted;
    }
    if (type === READY) return this.#reader()?.isLastReady() ?? true;
    if (ANSWER.has(type)) return this.#reader()?.readsAnswer ?? true;
    if (type !== ROW) return type !== COPY_DATA && type !== NOTIFICATION;
    if (bytes > LARGE_ROW_BYTES) this.#flush();
    const reader = this.#reader();
    if (reader === undefined || reader.full) return false;
    return bytes <= LARGE_ROW_BYTES || reader.wantsRow(bytes);
  }

  /** Passes on the first bytes of an error or a notice, as a complete message. */
  #cutFields(body: number): void {
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

  /** Skips bytes that are passed on; returns how many. */
  #advance(bytes: number): number {
    const taken = Math.min(bytes, this.#chunk.length - this.#at);
    this.#at += taken;
    return taken;
  }

  /** Skips bytes that are dropped; returns how many. */
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
