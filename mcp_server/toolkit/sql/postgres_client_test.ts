import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { MessageFilter } from "./postgres_client.ts";

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

/**
 * Filters a stream in chunks of a given size; records which rows and data the reader was asked
 * about.
 */
function filter(
  stream: Buffer,
  size: number,
  { full = false, notices = 0, readsAnswer = true, ends = 1 } = {},
) {
  const parts: Buffer[] = [];
  const asked: (number | string)[] = [];
  const reader = {
    full,
    readsAnswer,
    isLastReady: () => --ends === 0,
    wantsRow: (bytes: number) => asked.push(bytes) > 1,
    wantsNotice: () => notices-- > 0,
    onCopyData: () => void asked.push("copy"),
  };
  const messages = new MessageFilter(() => reader, (part) => void parts.push(Buffer.from(part)));
  for (let at = 0; at < stream.length; at += size) messages.push(stream.subarray(at, at + size));
  return { output: Buffer.concat(parts), asked };
}

const ROW = message("D", Buffer.from("a row"));
const LARGE = message("D", Buffer.alloc(70_000, "x"));
const READY = message("Z", Buffer.from("I"));
const DONE = message("C", Buffer.alloc(0));
const NOISE = [message("N", Buffer.alloc(500)), message("A", Buffer.alloc(0))];
const COPIED = message("d", Buffer.from("data"));

Deno.test("MessageFilter drops what nobody reads, however the stream is split", () => {
  const stream = Buffer.concat([ROW, ...NOISE, LARGE, ROW, COPIED, LARGE, DONE, ...NOISE, READY]);
  for (const size of [1, 2, 3, 4, 5, 6, 7, 4_096, 65_536, stream.length]) {
    const { output, asked } = filter(stream, size);
    strictEqual(output.equals(Buffer.concat([ROW, ROW, LARGE, DONE, READY])), true, `${size}`);
    deepStrictEqual(asked, [70_000, "copy", 70_000]);
  }
});

Deno.test("MessageFilter drops rows once their reader is full", () => {
  const { output, asked } = filter(Buffer.concat([ROW, LARGE, DONE, READY]), 100, { full: true });
  strictEqual(output.equals(Buffer.concat([DONE, READY])), true);
  deepStrictEqual(asked, []);
});

Deno.test("MessageFilter passes on only the errors and the last end of statements without answer", () => {
  const error = message("E", Buffer.from("C42601\0\0"));
  const columns = message("T", Buffer.from("\0\0"));
  const stream = Buffer.concat([columns, ROW, DONE, READY, error, READY, DONE, READY]);
  for (const size of [1, 5, stream.length]) {
    const { output } = filter(stream, size, { full: true, readsAnswer: false, ends: 3 });
    strictEqual(output.equals(Buffer.concat([error, READY])), true, `${size}`);
  }
});

Deno.test("MessageFilter passes on the notices that the reader wants, and cuts long ones", () => {
  const short = message("N", Buffer.from("SNOTICE\0\0"));
  const long = message("N", Buffer.concat([Buffer.from("SNOTICE\0M"), Buffer.alloc(200_000, "y")]));
  for (const size of [1, 5, 1_000, 65_536, 300_000]) {
    const stream = Buffer.concat([short, long, short, READY]);
    const { output } = filter(stream, size, { notices: 2 });
    strictEqual(output.subarray(0, short.length).equals(short), true);
    const cut = output.subarray(short.length);
    const length = cut.readUInt32BE(1);
    strictEqual(length < 66_000, true);
    strictEqual(cut.subarray(5, 14).toString(), "SNOTICE\0M");
    strictEqual(cut.subarray(length + 1).equals(READY), true);
  }
});

Deno.test("MessageFilter says which chunks have notices that nobody wants", () => {
  const [notice = READY, notification = READY] = NOISE;
  let wanted = 1;
  const reader = {
    full: false,
    readsAnswer: true,
    isLastReady: () => true,
    wantsRow: () => true,
    wantsNotice: () => wanted-- > 0,
    onCopyData: () => {},
  };
  const messages = new MessageFilter(() => reader, () => {});
  const chunks = [notice, notice, notification, ROW, notice.subarray(0, 4), notice.subarray(4)];
  const answers = chunks.map((chunk) => messages.push(chunk));
  deepStrictEqual(answers, [false, true, false, false, false, true]);
});

Deno.test("MessageFilter cuts a long error to a complete message", () => {
  const error = message("E", Buffer.concat([Buffer.from("C42601\0M"), Buffer.alloc(200_000, "y")]));
  for (const size of [1, 5, 1_000, 65_536, 300_000]) {
    const { output } = filter(Buffer.concat([error, READY]), size);
    const length = output.readUInt32BE(1);
    strictEqual(length < 66_000, true);
    strictEqual(output.subarray(5, 13).toString(), "C42601\0M");
    strictEqual(output.subarray(length - 2, length + 1).toString(), "y\0\0");
    strictEqual(output.subarray(length + 1).equals(READY), true);
  }
});

Deno.test("MessageFilter rejects what no PostgreSQL server sends", () => {
  throws(() => filter(Buffer.from("HTTP/1.1 400 Bad Request"), 24), /it has \d+ bytes/);
  throws(() => filter(Buffer.from("Z\0\0\0\u0003I"), 6), /its length is 3/);
});
