import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import * as z from "zod";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { bearerOf } from "../testing/callers_file.ts";
import { jsonArbitrary, type NamedValues } from "../testing/json_arbitrary.ts";
import { postMcp } from "../testing/mcp_request.ts";
import { checkAnswer, checkRpc, eventsOf } from "./check_answer.ts";
import { CALLERS, type FuzzServer, useFuzzServer } from "./fuzz_server.ts";

/** A call of a tool. */
interface Call {
  readonly way: "api" | "mcp";
  readonly tool: string;
  readonly args: unknown;
}

/** A tool as the server lists it. */
interface ListedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
}

/** Odd values that are harmless as a command, a path below a folder or a query. */
const ODD = fc.constantFrom<unknown>(
  ...["", "a\0b", "\ud800", "\u202e", "-", "--", "'", "\n", "é", "𝟘".repeat(500), "true", "5"],
  ...[null, true, 5, -1, 1.5, 2 ** 53, 1e300, [], [[]], {}, [null], { __proto__: null }],
);

/** Calls of every tool, by its schema: valid, nearly valid, and hostile. */
export const toolArguments: Surface = defineSurface<Call>({
  name: "mcp-tool-arguments",
  share: 0.1,
  deadlineMs: 60_000,
  open: async () => {
    const server = await useFuzzServer();
    const { tools }: { tools: ListedTool[] } = await (await server.send("/api/tools")).json();
    const outputs = new Map(
      tools.map(({ name, outputSchema = {} }) => [name, z.fromJSONSchema(outputSchema)]),
    );
    const named = harmless(server);
    return {
      inputs: fc.constantFrom(...tools).chain(({ name, inputSchema }) =>
        fc.record({
          way: fc.constantFrom<Call["way"]>("api", "api", "mcp"),
          tool: fc.constant(name),
          args: nearly(jsonArbitrary(inputSchema, named)),
        })
      ),
      check: async (call) => {
        const output = await (call.way === "api" ? callApi : callMcp)(server, call);
        if (output === undefined) return;
        const { error } = outputs.get(call.tool)?.safeParse(output) ?? {};
        ok(error === undefined, `${error?.message} in ${JSON.stringify(output).slice(0, 500)}`);
      },
      end: async () => [...await server.faults(), ...await server.stop()],
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
});

async function callApi(server: FuzzServer, { tool, args }: Call): Promise<unknown> {
  const response = await server.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tool, args }),
  });
  const { status, headers } = response;
  const answer = { status, type: headers.get("content-type") ?? "", body: await response.text() };
  checkAnswer(answer, server.secret.text);
  return status === 200 ? JSON.parse(answer.body) : undefined;
}

async function callMcp(server: FuzzServer, { tool, args }: Call): Promise<unknown> {
  const message = { method: "tools/call", params: { name: tool, arguments: args } };
  const response = await postMcp(server.url, message, { headers: bearerOf(CALLERS.all) });
  const { status, headers } = response;
  const answer = { status, type: headers.get("content-type") ?? "", body: await response.text() };
  checkAnswer(answer, server.secret.text);
  checkRpc(answer);
  const last = answer.type.startsWith("text/event-stream")
    ? eventsOf(answer.body).at(-1)
    : JSON.parse(answer.body);
  const result = isJsonObject(last) && isJsonObject(last.result) ? last.result : {};
  if (result.isError === true) deepStrictEqual(Array.isArray(result.content), true);
  return result.isError === true ? undefined : result.structuredContent;
}

/** Values of arguments that could do harm: commands, paths, hosts and queries come from lists. */
function harmless({ files, services: { sshHost } }: FuzzServer): NamedValues {
  const path = fc.constantFrom("a", "b/c", "./a", "a/", "\ud800", "é".repeat(200), "folder", "")
    .map((name) => `${files}/${name}`);
  const command = fc.constantFrom(
    ...[
      "true",
      "echo a",
      "exit 3",
      "kill -9 $$",
      "echo (",
      "cat",
      "sleep 9",
      "yes | head -c 99999",
    ],
    ...["printf '\\377\\0'", "sleep 60 &", "exec 1>&-", "ulimit -n", "echo a >&2"],
  );
  const query = fc.constantFrom(
    ...[
      "SELECT 1",
      "SELECT ?1",
      "SELECT $1",
      "SELEC",
      "SELECT 1; SELECT 2",
      "",
      "BEGIN",
      "ROLLBACK",
    ],
    ...["SELECT NULL AS a, 1 AS a", "CREATE TEMP TABLE t (a)", "SELECT 1/0", "--", "SELECT x'00'"],
  );
  return {
    command,
    script: command,
    stdin: fc.string({ unit: "binary" }),
    cwd: path,
    path,
    timeoutMs: fc.constantFrom(1, 50, 500, 2_000, 1e300),
    queries: fc.array(query, { minLength: 1, maxLength: 3 }),
    database: fc.constantFrom("main", "server", "none-such", "../x", ""),
    host: fc.constantFrom("127.0.0.1:1", "[::1]:1", sshHost ?? "127.0.0.1:1"),
    commands: fc.array(fc.record({ command, cwd: path }, { requiredKeys: ["command"] }), {
      minLength: 1,
      maxLength: 3,
    }),
    connections: fc.array(
      fc.record({
        host: fc.constantFrom("127.0.0.1:1", "[::1]:1", sshHost ?? "127.0.0.1:1"),
        username: fc.constantFrom("root", "nobody-here"),
        commands: fc.array(command, { minLength: 1, maxLength: 2 }),
      }, { requiredKeys: ["host", "commands"] }),
      { minLength: 1, maxLength: 2 },
    ),
    id: fc.constantFrom("", "x", "00000000-0000-4000-8000-000000000000", "../x"),
    seconds: fc.constantFrom(0, 1),
    tool: fc.constantFrom("read-file", "job-list", "job-start", "none"),
    args: fc.constantFrom({}, { path: "/dev/null" }, { id: 1 }),
  };
}

/** Valid arguments, or such with one value or key that is wrong. */
function nearly(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({ at: fc.nat(20), value: ODD, more: fc.boolean() });
  const changed = fc.tuple(valid, change).map(([args, { at, value, more }]) => {
    const copy = structuredClone(args);
    if (!isJsonObject(copy)) return value;
    const keys = Object.keys(copy);
    const key = more ? "other" : keys[at % Math.max(keys.length, 1)] ?? "other";
    const inner = copy[key];
    const [first] = Array.isArray(inner) ? inner : [];
    const isInner = at > 9 && isJsonObject(first);
    Object.assign(isInner ? first : copy, {
      [isInner ? Object.keys(first)[0] ?? "a" : key]: value,
    });
    return copy;
  });
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: changed }, ODD);
}
