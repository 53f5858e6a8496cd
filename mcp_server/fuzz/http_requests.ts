import { match, ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { tokenOf } from "../testing/callers_file.ts";
import { checkAnswer } from "./check_answer.ts";
import { edited } from "../../test_support/fuzz/edited.ts";
import { headerFields } from "../../test_support/fuzz/header_values.ts";
import { CALLERS, HEADER_MS, useFuzzServer } from "./fuzz_server.ts";
import { exchange, type RawAnswer } from "./raw_http.ts";

/** A request whose form is right, and whose parts may be anything. */
interface Sent {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly authorization: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const PATHS = [
  ..."/ /mcp /api /api/tools /api/me /api/jobs /api/servers /openapi.json /healthz /readyz".split(
    " ",
  ),
  ..."/metrics /api/admin/reload /.well-known/oauth-protected-resource /console.js".split(" "),
  "/api/jobs/00000000-0000-4000-8000-000000000000",
  ..."/api/calls /api/calls/00000000-1".split(" "),
  ..."stdout stderr events cancel stdin".split(" ").map((name) => `/api/jobs/x/${name}`),
];
const TARGET = fc.oneof(
  fc.constantFrom(...PATHS),
  edited(fc.constantFrom(...PATHS)).map(visible),
  fc.tuple(
    fc.constantFrom(...PATHS),
    fc.constantFrom("?", "?limit=1&state=x", "?wait=-1e9", "?cursor=%00", "?%", "#a", "/", "/.."),
  ).map((parts) => parts.join("")),
  fc.constantFrom("/%2e%2e/etc/passwd", "/..%2fsecret", "//secret", "/api/jobs/%2e%2e%2f/stdout"),
);
const TOKEN = `Bearer ${tokenOf(CALLERS.all)}`;
const AUTHORIZATION = fc.oneof(
  { weight: 3, arbitrary: fc.constant(TOKEN) },
  { weight: 1, arbitrary: fc.constantFrom("", "Bearer", "Bearer ", "Basic x", `bearer ${TOKEN}`) },
  { weight: 1, arbitrary: edited(fc.constant(TOKEN)).map(visible) },
);
const HOST = fc.oneof(
  { weight: 6, arbitrary: fc.constant("127.0.0.1") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("localhost", "[::1]", "evil.example", "", "127.0.0.1@evil"),
  },
  { weight: 1, arbitrary: edited(fc.constant("127.0.0.1:80")).map(visible) },
);

/** Fields that the server reads, with values that clients send, and others. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "accept": ["application/json", "text/event-stream", "application/json, text/event-stream", "*/*"],
  "content-type": [
    "application/json",
    "application/json; charset=latin1",
    "text/plain",
    "a/b+json",
  ],
  "origin": ["http://127.0.0.1", "http://evil.example", "null", "http://localhost:1"],
  "prefer": ["respond-async", "respond-async, wait=0", "wait=9999999999999999", 'a="'],
  "idempotency-key": ["a", "a".repeat(300), ""],
  "range": [
    "bytes=0-1",
    "bytes=-1",
    "bytes=9-1",
    "bytes=0-0,5-6",
    "lines=1-2",
    "bytes=99999999999-",
  ],
  "if-none-match": ['"completed-0-0"', "*", 'W/"running-1-1"', '"', ","],
  "last-event-id": ["0-0-0", "1-2-3-end", "-1", "9".repeat(400)],
  "mcp-protocol-version": ["2026-07-28", "2025-11-25", "2024-11-05", "1999-01-01", ""],
  "mcp-session-id": ["a", "00000000-0000-4000-8000-000000000000", " "],
  "mcp-method": ["tools/list", "tools/call", ""],
  "mcp-name": ["echo", "=?base64?ZWNobw==?=", "=?base64?%?="],
  "traceparent": ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-0-0-0", "x"],
  "access-control-request-method": ["POST", ""],
  "content-encoding": ["gzip", "br", "identity"],
  "expect": ["100-continue", "x"],
  "te": ["trailers"],
};
const FIELD = headerFields(VALUES);
const BODY = fc.constantFrom(
  "",
  "{}",
  '{"tool":"echo","args":{"text":"a"}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",' +
    '"capabilities":{},"clientInfo":{"name":"a","version":"1"}}}',
);
const METHOD = fc.constantFrom(
  "GET",
  "POST",
  "POST",
  "POST",
  "DELETE",
  "PUT",
  "OPTIONS",
  "PATCH",
  "get",
);

const ATTEMPTS = 3;

/** Requests that are well-formed: methods, paths, Host, tokens and every field that is read. */
export const httpRequests: Surface = defineSurface<Sent>({
  name: "mcp-http-requests",
  share: 0.3,
  open: async () => {
    const server = await useFuzzServer();
    return {
      inputs: fc.record({
        method: METHOD,
        target: TARGET,
        host: HOST,
        authorization: AUTHORIZATION,
        fields: fc.array(FIELD, { maxLength: 6 }),
        body: BODY,
      }),
      check: async (sent) => {
        const answers = await answersTo(server.url, toBytes(sent));
        ok(answers.length > 0, "no response");
        for (const answer of answers) {
          const { status, headers, body } = answer;
          checkAnswer(
            { status, body, type: headers.get("content-type") ?? "" },
            server.secret.text,
          );
          checkAccess(sent, answer);
        }
      },
      end: server.faults,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
});

/**
 * Sends a request; again if there is no answer after so long that the server may have given up a
 * client which was paused before it could write.
 */
async function answersTo(url: string, bytes: Uint8Array<ArrayBuffer>): Promise<RawAnswer[]> {
  for (let attempt = 1;; attempt++) {
    const startedAt = performance.now();
    const answers = await exchange(url, bytes);
    const tookMs = performance.now() - startedAt;
    if (answers.length > 0 || tookMs < HEADER_MS || attempt === ATTEMPTS) return answers;
  }
}

/** What everybody may read: the console's files, the health check, and what browsers ask first. */
const OPEN = /^\/(?:healthz|readyz|console[\w.-]*|favicon[\w.-]*|assets\/[\w.-]+)?$/;

/** Without a token nothing but an open path is answered, and a wrong Host gets nothing at all. */
function checkAccess({ method, target, host, authorization }: Sent, answer: RawAnswer): void {
  const { status, headers } = answer;
  const isGiven = status < 300 && status >= 200;
  if (isGiven) match(host, /^\s*(?:127\.0\.0\.1|localhost|\[::1\])(?::\d*)?\s*$/i);
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
  const path = target.replace(/[?#].*/s, "");
  if (!isGiven || token === tokenOf(CALLERS.all)) return;
  const isPreflight = method === "OPTIONS" && headers.has("access-control-allow-methods");
  ok(isPreflight || OPEN.test(path), `${status} without a token`);
}

function toBytes(
  { method, target, host, authorization, fields, body }: Sent,
): Uint8Array<ArrayBuffer> {
  const given = Object.fromEntries([["content-type", "application/json"], ...fields]);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `host: ${host}`,
    ...(authorization === "" ? [] : [`authorization: ${authorization}`]),
    ...Object.entries(given).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    "connection: close",
    "",
    body,
  ];
  return Uint8Array.from(lines.join("\r\n"), (character) => character.charCodeAt(0) & 0xff);
}

/** Without what would end a line, or the target of a request. */
function visible(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, "");
}
