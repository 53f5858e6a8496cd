import type { QueryError, QueryOutcome, SqlQuery } from "../sql_session.ts";
import type { AnswerBounds, SqliteOptions } from "./database.ts";

/** The flag that makes a server the process of one SQLite file, and nothing else. */
export const SQLITE_WORKER_FLAG = "--sqlite-worker";

/** A request of the server to the process that has an SQLite file open; one line of JSON each. */
export type SqliteRequest =
  | { readonly open: SqliteOptions }
  | { readonly run: SqlQuery; readonly bounds: AnswerBounds }
  | { readonly reset: true };

/** A response of that process, in the order of the requests. */
export interface SqliteReply {
  readonly outcome: QueryOutcome | { readonly ok: false; readonly error: QueryError };
  /** Whether a transaction is open. */
  readonly inTransaction: boolean;
}

/** Turns bytes into lines of text, without their ends. */
export class TextLineStream {
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;

  constructor() {
    const parts: string[] = [];
    const decoder = new TextDecoder();
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, string>({
      transform(chunk, controller) {
        const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
        parts.push(first);
        for (const part of others) {
          controller.enqueue(parts.splice(0).join(""));
          parts.push(part);
        }
      },
    });
    this.readable = readable;
    this.writable = writable;
  }
}
