import * as fc from "fast-check";

/** A request that calls a tool, as it is sent. */
export interface SentCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const Key = fc.constantFrom("a", "__proto__", "constructor", "toJSON", "type", "10");
const Json = fc.jsonValue({ maxDepth: 2 }).filter((value) => !Object.is(value, -0));
const Dictionary = fc.array(fc.tuple(Key, Json), { maxLength: 3 }).map((entries) =>
  // An own key "__proto__", as JSON.parse() makes it.
  JSON.parse(`{${entries.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join()}}`)
);

/** Mostly a value, and once in a while another one. */
function mostly<Usual>(usual: Usual, ...others: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary: fc.constant(usual) }, ...others);
}

const absent = fc.constant(undefined);

const Block = fc.oneof(
  { weight: 20, arbitrary: fc.record({ type: fc.constant("text"), text: fc.string() }) },
  fc.record({ text: fc.string(), type: fc.constant("text") }),
  fc.constantFrom(
    { type: "text", text: "a", annotations: { priority: 1 } },
    { type: "text", text: "a", more: true },
    { type: "text", text: 1 },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "resource_link", uri: "file:///a", name: "a" },
    { type: "none" },
  ),
  Json,
);

const Answer = fc.record({
  content: fc.array(Block, { maxLength: 3 }),
  isError: mostly(undefined, fc.boolean(), Json),
  structuredContent: fc.oneof(absent, Dictionary, mostly(undefined, Json)),
  _meta: mostly(undefined, Dictionary),
  extra: mostly(undefined, Json),
});

const Step = fc.constantFrom("report", "print", "log", "ask", "wait", "fail", "reject");
const Steps = fc.oneof({ weight: 3, arbitrary: absent }, fc.array(Step, { maxLength: 3 }));

const Args = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      steps: Steps,
      result: fc.oneof({ weight: 60, arbitrary: Answer }, Json),
    }),
  },
  absent,
  Dictionary,
  Json,
);

const Token = mostly(1, fc.string(), fc.constantFrom(0, -1, 1.5, 2 ** 53, 1e300, null), Json);
const Name = mostly(
  "act",
  fc.constantFrom("headers", "task", "none", "__proto__", "a b", "ä"),
  Json,
);

const Capabilities = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.constantFrom<unknown>(
    { elicitation: {} },
    { elicitation: { url: {} } },
    { roots: { listChanged: true }, sampling: {}, elicitation: { form: {} } },
    { extensions: { "io.modelcontextprotocol/tasks": {} } },
    { extensions: {} },
    { roots: 1 },
    { experimental: { a: {} } },
  ),
  mostly({}, Json, absent),
);

const Envelope = fc.record({
  "io.modelcontextprotocol/protocolVersion": mostly("2026-07-28", absent, Json),
  "io.modelcontextprotocol/clientInfo": mostly(
    { name: "test", version: "1" },
    fc.constantFrom({ name: "test" }, { name: "test", version: "1", icons: [{ src: "a" }] }),
    absent,
    Json,
  ),
  "io.modelcontextprotocol/clientCapabilities": Capabilities,
  "io.modelcontextprotocol/logLevel": mostly(undefined, fc.constantFrom("debug", "error", "loud")),
});

const Own = fc.record({
  progressToken: fc.oneof({ weight: 2, arbitrary: absent }, Token),
  traceparent: mostly(undefined, fc.constant(`00-${"a".repeat(32)}-${"b".repeat(16)}-01`)),
  "io.trestle/on": mostly(undefined, fc.constant("nowhere")),
  "io.modelcontextprotocol/related-task": mostly(undefined, fc.constant({ taskId: "a" }), Json),
  "io.modelcontextprotocol/serverInfo": mostly(undefined, Json),
});

const Header = (usual: string | undefined, ...others: string[]) =>
  mostly(usual, absent, fc.constantFrom("", "a", ...others));

const BOTH = "application/json, text/event-stream";

/** Requests of a revision that call a tool; most are right, and some are wrong in one or more ways. */
export function toolCallArbitrary(isModern: boolean): fc.Arbitrary<SentCall> {
  const Meta = fc.oneof(
    { weight: 30, arbitrary: merged(Own, isModern ? Envelope : mostly({}, Envelope)) },
    isModern ? Dictionary : absent,
    Json,
  );
  const Params = fc.record({
    name: Name,
    arguments: Args,
    _meta: Meta,
    task: mostly(undefined, Json),
    requestState: mostly(undefined, fc.string()),
    inputResponses: mostly(undefined, Json),
  });
  const Body = fc.record({
    jsonrpc: mostly("2.0", Json),
    id: Token,
    method: mostly("tools/call", fc.constant("tools/list"), Json),
    params: fc.oneof({ weight: 60, arbitrary: Params }, Json, absent),
    extra: mostly(undefined, Json),
  });
  const version = isModern ? "2026-07-28" : "2025-11-25";
  const Headers = fc.record({
    accept: Header(BOTH, "application/json", "*/*"),
    "mcp-protocol-version": Header(version, "2026-07-28", "2024-11-05", "2025-06-18"),
    "mcp-method": Header(isModern ? "tools/call" : undefined, "tools/list"),
    "mcp-name": Header(isModern ? "act" : undefined, "=?base64?YWN0?=", " act "),
  });
  return fc.record({ headers: Headers, body: Body }).map((sent) => {
    const { headers, body } = JSON.parse(JSON.stringify(sent));
    const name = body.params?.name;
    const isRepeated = headers["mcp-name"] === "act" && /^\w+$/.test(name);
    return { headers: isRepeated ? { ...headers, "mcp-name": name } : headers, body };
  });
}

function merged(...parts: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all));
}
