import { deepStrictEqual, match, throws } from "node:assert/strict";
import { checkAnswer, checkRpc } from "./check_answer.ts";
import { startFuzzServer } from "./fuzz_server.ts";

const CRASHING = `export default ({ mcpServer, toolName }) =>
  mcpServer.tool(toolName, "Crashes.", {}, () => {
    Promise.reject(new Error("nobody waits"));
    throw new TypeError("crash");
  });
`;

Deno.test("a fuzz server reports a crash and an unhandled rejection", async () => {
  await using server = await startFuzzServer({ tool: CRASHING });
  const response = await server.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"tool":"echo"}',
  });
  const type = response.headers.get("content-type") ?? "";
  const answer = { status: response.status, type, body: await response.text() };
  throws(() => checkAnswer(answer), /^AssertionError.*: status 500/);
  const faults: string[] = [];
  // What the server logs may arrive after its answer.
  for (const late = performance.now() + 30_000; faults.length < 2 && performance.now() < late;) {
    faults.push(...await server.faults());
  }
  match(faults.join("\n"), /a tool crashed.*unhandled rejection.*nobody waits/s);
  deepStrictEqual(await server.faults(), []);
});

const JSON_TYPE = "application/json";
const PROBLEM = "application/problem+json";

const WRONG: readonly (readonly [what: string, status: number, type: string, body: string])[] = [
  ["JSON that is none", 200, JSON_TYPE, "{"],
  [
    "another status in a problem",
    400,
    PROBLEM,
    '{"status":404,"title":"a","detail":"b","code":"C_D"}',
  ],
  ["a problem without a code", 404, PROBLEM, '{"status":404,"title":"a","detail":"b"}'],
  ["an event without an end", 200, "text/event-stream", "data: {}"],
  ["a stack", 400, "text/plain", "Error\n    at main.ts:1:1"],
  ["a secret", 200, "text/plain", "the secret"],
];

for (const [what, status, type, body] of WRONG) {
  Deno.test(`checkAnswer() rejects ${what}`, () => {
    throws(() => checkAnswer({ status, type, body }, "secret"));
  });
}

for (
  const body of ['{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"2.0","id":1,"error":{"code":"a"}}', "1"]
) {
  Deno.test(`checkRpc() rejects ${body}`, () => {
    throws(() => checkRpc({ status: 200, type: JSON_TYPE, body }));
  });
}
