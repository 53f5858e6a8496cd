import { ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { tokenOf } from "../testing/callers_file.ts";
import { checkAnswer } from "./check_answer.ts";
import { edited } from "../../test_support/fuzz/edited.ts";
import { CALLERS, useFuzzServer } from "./fuzz_server.ts";
import { exchange } from "./raw_http.ts";

/** Bytes on a connection, one character for each. */
interface Sent {
  readonly text: string;
  readonly cuts: readonly number[];
}

const BODY = '{"tool":"echo","args":{"text":"a"}}';
const FIELDS = ["Host: 127.0.0.1", `Authorization: Bearer ${tokenOf(CALLERS.all)}`];
const TYPE = "Content-Type: application/json";

/** Chunks of a body, whose lengths may be wrong, and their end, which may be missing. */
const CHUNKS = fc.tuple(
  fc.constantFrom(BODY.length.toString(16), "0", "5", "ffffffffffffffff1", "-1", "g"),
  fc.constantFrom("", ";name=value", ";"),
  fc.constantFrom("0\r\n\r\n", "0\r\nTrailer: x\r\n\r\n", "", "0\r\n", "\r\n"),
).map(([size, extension, last]) => `${size}${extension}\r\n${BODY}\r\n${last}`);

/** How a body is announced: truly, wrongly, twice, and in chunks that end, or do not. */
const BODIES = fc.oneof(
  fc.constantFrom(BODY.length, 0, 1, BODY.length + 1, 10_000_000, -1, 1e20, "0x10", "+3", "").map(
    (length) => [[`Content-Length: ${length}`], BODY] as const,
  ),
  fc.constant([["Content-Length: 3", `Content-Length: ${BODY.length}`], BODY] as const),
  fc.tuple(
    CHUNKS,
    fc.constantFrom("chunked", "Chunked", "gzip, chunked", "chunked, chunked", "x"),
  )
    .map(([chunks, coding]) => [[`Transfer-Encoding: ${coding}`], chunks] as const),
  CHUNKS.map((chunks) => [["Transfer-Encoding: chunked", "Content-Length: 5"], chunks] as const),
  fc.constant([["Expect: 100-continue", `Content-Length: ${BODY.length}`], BODY] as const),
);

const LINE = fc.tuple(
  fc.constantFrom("POST", "POST", "GET", "DELETE", "OPTIONS", "post", "TRACE", "CONNECT", "PRI"),
  fc.constantFrom(
    "/api",
    "/mcp",
    "/api/jobs",
    "/healthz",
    "*",
    "http://127.0.0.1/api",
    "//",
    "/%00",
  ),
  fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.1 x", ""),
).map((parts) => parts.join(" "));

const REQUEST = fc.tuple(
  LINE,
  BODIES,
  fc.constantFrom("close", "keep-alive", "Upgrade, HTTP2-Settings"),
)
  .map(([line, [fields, body], connection]) =>
    [line, ...FIELDS, TYPE, `Connection: ${connection}`, ...fields, "", body].join("\r\n")
  );

const TEXT = fc.oneof(
  { weight: 3, arbitrary: REQUEST },
  { weight: 3, arbitrary: edited(REQUEST) },
  { weight: 1, arbitrary: fc.tuple(REQUEST, edited(REQUEST)).map((all) => all.join("")) },
  { weight: 1, arbitrary: fc.uint8Array().map((bytes) => String.fromCharCode(...bytes)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02\0"),
  },
  {
    weight: 1,
    arbitrary: fc.nat(300).map((count) => `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(count)}`),
  },
);

/** By then, a request that is whole has been answered. */
const ANSWERED_MS = 20;

/** Bytes on a connection: a request line, fields and a body that a client may get wrong. */
export const httpBytes: Surface = defineSurface<Sent>({
  name: "mcp-http-bytes",
  share: 0.1,
  open: async () => {
    const server = await useFuzzServer();
    return {
      inputs: fc.record({ text: TEXT, cuts: fc.array(fc.nat(2_000), { maxLength: 3 }) }),
      check: async ({ text, cuts }) => {
        const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
        for (
          const answer of await exchange(server.url, bytes, { cuts, closeAfterMs: ANSWERED_MS })
        ) {
          const { status, headers, body } = answer;
          checkAnswer(
            { status, body, type: headers.get("content-type") ?? "" },
            server.secret.text,
          );
        }
        const health = await server.send("/healthz");
        ok((await health.text()).includes("ok"), "the server does not answer");
      },
      end: server.faults,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
});
