import { ok } from "node:assert/strict";
import fc from "fast-check";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { checkAnswer, checkRpc } from "./check_answer.ts";
import { edited } from "../../test_support/fuzz/edited.ts";
import { useFuzzServer } from "./fuzz_server.ts";

/** The body of a request, as text in an encoding. */
interface Sent {
  readonly path: string;
  readonly revision: string;
  readonly encoding: keyof typeof ENCODINGS;
  readonly text: string;
}

/** How a text becomes bytes; all but the first are not what JSON has to be (RFC 8259, section 8.1). */
const ENCODINGS = {
  "utf-8": (text: string) => new TextEncoder().encode(text),
  "with a byte order mark": (text: string) => new TextEncoder().encode(`\ufeff${text}`),
  "utf-16": (text: string) => new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer),
  "latin-1": (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0) & 0xff),
  "cut": (text: string) => new TextEncoder().encode(`${text}é`).subarray(0, -1),
} as const;

const NESTED = fc.tuple(
  fc.constantFrom("[", '{"a":', '[{"a":'),
  fc.constantFrom(10, 1_000, 100_000),
)
  .map(([open, depth]) => open.repeat(depth));
/** Values that readers of JSON err at, as they are written. */
const RAW = fc.oneof(
  fc.json(),
  fc.constantFrom("1e400", "-0", "1E-400", "9".repeat(400), "0.1e99999", "01", "NaN", "undefined"),
  fc.constantFrom('"\\ud800"', '"\\u0000"', '"\\x"', '{"__proto__":{"a":1}}', '{"a":1,"a":2}'),
  NESTED,
  NESTED.map((open) => open + close(open)),
);
const KEY = fc.constantFrom("tool", "args", "stdin", "on", "retries", "__proto__", "other");
const TOOL = fc.constantFrom('"echo"', '"read-file"', '"none"', '"__proto__"', "1", "null");
const API = fc.oneof(
  fc.tuple(TOOL, RAW).map(([tool, args]) => `{"tool":${tool},"args":${args}}`),
  fc.tuple(TOOL, KEY, RAW).map(([tool, key, value]) => `{"tool":${tool},"${key}":${value}}`),
  fc.constant('{"tool":"echo","args":{"text":"a"}}'),
);
const METHOD = fc.oneof(
  fc.constantFrom(
    ..."tools/list tools/call initialize ping server/discover tasks/get tasks/list".split(" "),
    ..."tasks/result tasks/cancel tasks/update logging/setLevel".split(" "),
    ..."notifications/cancelled notifications/initialized resources/list prompts/get".split(" "),
    "completion/complete",
    "",
    "__proto__",
  ),
  fc.string(),
);
const PARAMS = fc.oneof(
  fc.constantFrom(
    '{"name":"echo","arguments":{"text":"a"}}',
    '{"cursor":"x"}',
    '{"taskId":"x"}',
    '{"requestId":1}',
    '{"name":"echo","arguments":{"text":"a"},"task":{"ttl":-1}}',
    '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}',
  ),
  RAW,
);
const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},' +
  '"io.modelcontextprotocol/clientCapabilities":{}}';
const ID = fc.constantFrom("1", '"a"', "null", "1.5", "-1", "[]", "1e400", "{}", "true", '""');
const RPC = fc.tuple(ID, METHOD, PARAMS, fc.boolean()).map(([id, method, params, isModern]) => {
  const whole = isModern && params.startsWith('{"') ? `{${META},${params.slice(1)}` : params;
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${whole}}`;
});
const BATCH = fc.array(RPC, { maxLength: 3 }).map((messages) => `[${messages}]`);
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
            { weight: 6, arbitrary: fc.constant<keyof typeof ENCODINGS>("utf-8") },
            fc.constantFrom(...encodings()),
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

function encodings(): (keyof typeof ENCODINGS)[] {
  return ["utf-8", "with a byte order mark", "utf-16", "latin-1", "cut"];
}

/** The headers in which the newest revision repeats parts of the message. */
function methodHeaders(text: string, revision: string): Record<string, string> {
  if (revision !== "2026-07-28") return {};
  const [, method = ""] = /"method":"([\w/]+)"/.exec(text) ?? [];
  const [, name] = /"name":"([\w-]+)","arguments"/.exec(text) ?? [];
  return { "mcp-method": method, ...(name === undefined ? {} : { "mcp-name": name }) };
}

/** What closes nested arrays and objects. */
function close(open: string): string {
  const ends = { "[": "]", "{": "}" } as const;
  return `1${
    [...open].reverse().map((one) => one === "[" || one === "{" ? ends[one] : "").join("")
  }`;
}
