import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { BATCH, META, RAW, RPC } from "./rpc_messages.ts";
import { answersTo, sentRequests } from "./stdio_requests.ts";
import { MOST_LINE_BYTES, startStdioServer, type StdioServer } from "./stdio_server.ts";
import { type Encoding, ENCODING_NAMES, ENCODINGS } from "./text_encodings.ts";

/** Lines for one connection, in the order in which they are sent. */
interface Sent {
  readonly era: Era;
  readonly lines: readonly Line[];
  /** How many bytes are written at once. */
  readonly pieceBytes: number;
}

type Era = keyof typeof ERAS;

/** What no client would send, a request that has one answer, or a call that is cancelled. */
type Line =
  | { readonly kind: "cancelled" }
  | { readonly kind: "wrong"; readonly text: string; readonly encoding: Encoding }
  | { readonly kind: "list" }
  | { readonly kind: "call"; readonly text: string };

/** What the parameters of a request begin with. */
const ERAS = { "2025-11-25": "", "2026-07-28": `${META},` } as const;

const LISTEN = fc.tuple(
  fc.nat(3_000),
  fc.oneof(
    fc.constantFrom('{"toolsListChanged":true}', '{"taskIds":["a"]}', "{}", "[]"),
    RAW,
  ),
).map(([id, notifications]) =>
  `{"jsonrpc":"2.0","id":"listen-${id}","method":"subscriptions/listen",` +
  `"params":{${META},"notifications":${notifications}}}`
);
const WRONG = fc.oneof(
  { weight: 4, arbitrary: RPC },
  { weight: 4, arbitrary: edited(RPC) },
  { weight: 2, arbitrary: RPC.map((text) => text.replace(/"id":[^,]+,/, "")) },
  { weight: 1, arbitrary: BATCH },
  { weight: 2, arbitrary: LISTEN },
  { weight: 1, arbitrary: edited(LISTEN) },
  { weight: 2, arbitrary: RAW },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "\r", "\0", "x".repeat(MOST_LINE_BYTES + 1), " ".repeat(1_000)),
  },
);
const LINE: fc.Arbitrary<Line> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("wrong" as const),
      text: WRONG,
      encoding: fc.oneof(
        { weight: 4, arbitrary: fc.constant<Encoding>("utf-8") },
        fc.constantFrom(...ENCODING_NAMES),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      text: fc.string({ unit: "grapheme" }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Line>({ kind: "list" }, { kind: "cancelled" }) },
);
const SENT: fc.Arbitrary<Sent> = fc.record({
  era: fc.constantFrom<Era>("2025-11-25", "2026-07-28"),
  lines: fc.array(LINE, { minLength: 1, maxLength: 6 }),
  pieceBytes: fc.constantFrom(7, 100, 4_096, 65_536, 1_000_000),
});

/** Lines of stdin: whatever is between them, each request has one answer. */
export const stdioLines: Surface = defineSurface<Sent>({
  name: "mcp-stdio-lines",
  share: 0.2,
  open: async () => {
    await using stack = new AsyncDisposableStack();
    const servers = {
      "2025-11-25": stack.use(await startStdioServer()),
      "2026-07-28": stack.use(await startStdioServer()),
    };
    await initialize(servers["2025-11-25"]);
    let count = 0;
    const owned = stack.move();
    return {
      inputs: SENT,
      check: async ({ era, lines, pieceBytes }) => {
        // The last line shows that the server goes on, whatever the others were.
        const all: readonly Line[] = [...lines, { kind: "list" }];
        const valid = new Map(all.map((line) => [`valid-${count++}`, line] as const));
        const parts = [...valid].map(([id, line]) => toBytes(id, line, era));
        const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
        const requests = sentRequests(bytes, MOST_LINE_BYTES);
        const size = Math.max(pieceBytes, bytes.length / 200);
        const messages = await servers[era].exchange(
          bytes,
          Math.ceil(size),
          (received) => requests.every((request) => answersTo(request, received) > 0),
        );
        for (const [id, line] of valid) {
          if (line.kind === "call" || line.kind === "list") {
            checkResult(
              line,
              messages.filter((one) => one.id === id),
            );
          }
        }
      },
      end: async () => (await Promise.all(Object.values(servers).map((one) => one.end()))).flat(),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
});

async function initialize(server: StdioServer): Promise<void> {
  const params = '{"protocolVersion":"2025-11-25","capabilities":{},' +
    '"clientInfo":{"name":"a","version":"1"}}';
  const opening = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}\n` +
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
  await server.exchange(new TextEncoder().encode(opening), 4_096, ([answer]) => answer?.id === 0);
}

function toBytes(id: string, line: Line, era: Era): Uint8Array<ArrayBuffer> {
  const encode = ENCODINGS[line.kind === "wrong" ? line.encoding : "utf-8"];
  const end = new TextEncoder().encode("\n");
  return Uint8Array.from([...encode(toText(id, line, era)), ...end]);
}

function toText(id: string, line: Line, era: Era): string {
  if (line.kind === "wrong") return line.text;
  if (line.kind === "cancelled") return cancelledCall(id, era);
  const begin = `{"jsonrpc":"2.0","id":"${id}","method":"tools/${line.kind}","params":{${
    ERAS[era]
  }`;
  const args = line.kind === "call" ? JSON.stringify({ text: line.text }) : "{}";
  return `${begin}"name":"echo","arguments":${args}}}`;
}

/** A command that would run for longer than the test, and what ends it. */
function cancelledCall(id: string, era: Era): string {
  return `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{${ERAS[era]}` +
    `"name":"exec-command","arguments":{"commands":[{"command":"sleep 600"}]}}}\n` +
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"${id}"}}`;
}

/** Throws if a valid request was not answered once, with what it asked for. */
function checkResult(line: Line, answers: readonly JsonObject[]): void {
  deepStrictEqual(answers.length, 1, "a request has several answers");
  const [{ result } = {}] = answers;
  ok(isJsonObject(result), JSON.stringify(answers));
  if (line.kind === "call") return deepStrictEqual(result.structuredContent, { text: line.text });
  const { tools } = result;
  ok(Array.isArray(tools));
  ok(tools.some((tool) => isJsonObject(tool) && tool.name === "echo"));
}
