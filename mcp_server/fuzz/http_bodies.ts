import { ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { checkAnswer, checkRpc } from "./check_answer.ts";
import { edited } from "../../test_support/fuzz/edited.ts";
import { useFuzzServer } from "./fuzz_server.ts";
import { BATCH, RAW, RPC } from "./rpc_messages.ts";
import { type Encoding, ENCODING_NAMES, ENCODINGS } from "./text_encodings.ts";

/** The body of a request, as text in an encoding. */
interface Sent {
  readonly path: string;
  readonly revision: string;
  readonly encoding: Encoding;
  readonly text: string;
}

const KEY = fc.constantFrom(
  "tool",
  "args",
  "title",
  "stdin",
  "on",
  "retries",
  "__proto__",
  "other",
);
const TOOL = fc.constantFrom('"echo"', '"read-file"', '"none"', '"__proto__"', "1", "null");
const API = fc.oneof(
  fc.tuple(TOOL, RAW).map(([tool, args]) => `{"tool":${tool},"args":${args}}`),
  fc.tuple(TOOL, KEY, RAW).map(([tool, key, value]) => `{"tool":${tool},"${key}":${value}}`),
  fc.constant('{"tool":"echo","args":{"text":"a"}}'),
);
const TEXT = {
  "/api": fc.oneof(API, edited(API), RAW),
  "/mcp": fc.oneof(RPC, edited(RPC), BATCH, RAW),
};

/** Bodies of calls and of MCP messages: JSON that is broken, nested, huge, or in a wrong encoding. */
export const httpBodies: Surface = defineSurface<Sent>({
  name: "mcp-http-bodies",
  share: 0.3,
  open: async () => {
    const server = await useFuzzServer();
    return {
      inputs: fc.constantFrom<("/api" | "/mcp")[]>("/api", "/mcp").chain((path) =>
        fc.record({
          path: fc.constant(path),
          revision: fc.constantFrom("2025-11-25", "2026-07-28", ""),
          encoding: fc.oneof(
            { weight: 6, arbitrary: fc.constant<Encoding>("utf-8") },
            fc.constantFrom(...ENCODING_NAMES),
          ),
          text: TEXT[path],
        })
      ),
      check: async ({ path, revision, encoding, text }) => {
        const response = await server.send(path, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...(revision === "" ? {} : { "mcp-protocol-version": revision }),
            ...methodHeaders(text, revision),
          },
          body: ENCODINGS[encoding](text),
        });
        const type = response.headers.get("content-type") ?? "";
        const answer = { status: response.status, type, body: await response.text() };
        checkAnswer(answer, server.secret.text);
        if (path === "/mcp") checkRpc(answer);
        else ok(answer.body !== "", "no body");
      },
      end: server.faults,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
});

/** The headers in which the newest revision repeats parts of the message. */
function methodHeaders(text: string, revision: string): Record<string, string> {
  if (revision !== "2026-07-28") return {};
  const [, method = ""] = /"method":"([\w/]+)"/.exec(text) ?? [];
  const [, name] = /"name":"([\w-]+)","arguments"/.exec(text) ?? [];
  return { "mcp-method": method, ...(name === undefined ? {} : { "mcp-name": name }) };
}
