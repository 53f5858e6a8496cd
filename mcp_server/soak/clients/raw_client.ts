import { bearerOf } from "../../testing/callers_file.ts";
import { LONGEST_MS } from "./api_client.ts";

const encoder = new TextEncoder();

/** A connection, closed at disposal. */
export interface RawClient extends Disposable {
  send(text: string): Promise<void>;
  /** Reads until so many bytes came, or the end; returns what came. */
  read(bytes: number): Promise<string>;
}

/** Connects; a connection that is still open after 90 s is closed. */
export async function connectRaw(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  let isOpen = true;
  const close = () => {
    if (isOpen) connection.close();
    isOpen = false;
  };
  const late = setTimeout(close, LONGEST_MS);
  return {
    send: async (text) => {
      const bytes = encoder.encode(text);
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    },
    read: async (most) => {
      const buffer = new Uint8Array(65_536);
      const decoder = new TextDecoder();
      let [text, size] = ["", 0];
      while (size < most) {
        const read = await connection.read(buffer).catch(() => null);
        if (read === null) break;
        text += decoder.decode(buffer.subarray(0, read), { stream: true });
        size += read;
      }
      return text;
    },
    [Symbol.dispose]: () => {
      clearTimeout(late);
      close();
    },
  };
}

/** A call of the HTTP API as it is on the wire, of the caller `worker`. */
export function rawCall(url: string, call: object, more: Record<string, string> = {}): string {
  const body = JSON.stringify(call);
  const headers = {
    host: new URL(url).host,
    "content-type": "application/json",
    "content-length": `${encoder.encode(body).length}`,
    ...bearerOf("worker"),
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /api HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
