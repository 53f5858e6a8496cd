import fc from "fast-check";

const NESTED = fc.tuple(
  fc.constantFrom("[", '{"a":', '[{"a":'),
  fc.constantFrom(10, 1_000, 100_000),
)
  .map(([open, depth]) => open.repeat(depth));

/** Values that readers of JSON err at, as they are written. */
export const RAW = fc.oneof(
  fc.json(),
  fc.constantFrom("1e400", "-0", "1E-400", "9".repeat(400), "0.1e99999", "01", "NaN", "undefined"),
  fc.constantFrom('"\\ud800"', '"\\u0000"', '"\\x"', '{"__proto__":{"a":1}}', '{"a":1,"a":2}'),
  NESTED,
  NESTED.map((open) => open + close(open)),
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

/** The member that every request of the newest revision has. */
export const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},' +
  '"io.modelcontextprotocol/clientCapabilities":{}}';
const ID = fc.constantFrom("1", '"a"', "null", "1.5", "-1", "[]", "1e400", "{}", "true", '""');

/** Messages of MCP, of which most are wrong in one way or another. */
export const RPC = fc.tuple(ID, METHOD, PARAMS, fc.boolean()).map(
  ([id, method, params, isModern]) => {
    const whole = isModern && params.startsWith('{"') ? `{${META},${params.slice(1)}` : params;
    return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${whole}}`;
  },
);

/** Several at once, which only old revisions had. */
export const BATCH = fc.array(RPC, { maxLength: 3 }).map((messages) => `[${messages}]`);

/** What closes nested arrays and objects. */
function close(open: string): string {
  const ends = { "[": "]", "{": "}" } as const;
  return `1${
    [...open].reverse().map((one) => one === "[" || one === "{" ? ends[one] : "").join("")
  }`;
}
