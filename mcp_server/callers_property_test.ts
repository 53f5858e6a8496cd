import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { createTempFolder, type TempFolder } from "../test_support/temp_folder.ts";
import { CALL_WAYS } from "./testing/call_ways.ts";
import { bearerOf, writeCallers } from "./testing/callers_file.ts";
import { connectOverStdio } from "./testing/mcp_peer.ts";
import { startServer } from "./testing/server_process.ts";
import { v2Sdk } from "./testing/v2_client.ts";

const RUNS = Number(Deno.env.get("PROPERTY_RUNS") ?? 4);
const CALLS = 40;
const MARKING = new URL("./testing/marking_tool.ts", import.meta.url);
const TOOLS = ["alpha-read", "alpha-write", "beta-read", "beta-write", "read", "alpha"];
const PATTERNS = [
  ...TOOLS,
  "*",
  "alpha-*",
  "*-read",
  "*a*-*",
  "job-start",
  "job-*",
  "?lpha",
  "none",
];

/** Rights of a caller, and an oracle of its own: patterns as regular expressions. */
const Caller = fc.uniqueArray(fc.constantFrom(...PATTERNS), { maxLength: 3 }).map((tools) => {
  const forms = tools.map((tool) =>
    new RegExp(`^${tool.replaceAll("*", ".*").replaceAll("?", ".")}$`)
  );
  return { tools, may: (tool: string) => forms.some((form) => form.test(tool)) };
});

const Call = fc.record({
  caller: fc.nat(3),
  tool: fc.constantFrom(...TOOLS),
  way: fc.constantFrom(...Object.keys(CALL_WAYS)),
});

const Case = fc.record({
  callers: fc.array(Caller, { minLength: 4, maxLength: 4 }),
  calls: fc.array(Call, { minLength: CALLS, maxLength: CALLS }),
});

/** A folder with tools that leave a mark when they run, and the file of the marks. */
async function createMarkingTools({ path }: TempFolder) {
  const folder = `${path}/tools`;
  const marks = `${path}/marks`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(marks, "");
  for (const tool of TOOLS) {
    await Deno.writeTextFile(`${folder}/${tool}.ts`, `export { default } from "${MARKING}";\n`);
  }
  const takeMarks = async () => {
    const lines = (await Deno.readTextFile(marks)).split("\n").filter((line) => line !== "");
    await Deno.writeTextFile(marks, "");
    return lines.sort();
  };
  // However busy the machine is, a call over MCP does not become a task, which ends later.
  const env = { MARKS: marks, MCP_DATA_DIR: `${path}/data`, MCP_TASK_AFTER_MS: "600000" };
  return { env, folder, takeMarks };
}

Deno.test("no call outside the rights of its caller runs on any way, and none inside is refused", async () => {
  await using folder = await createTempFolder();
  const { env, folder: tools, takeMarks } = await createMarkingTools(folder);
  const callers = await writeCallers(folder.path, {});
  const args = ["--callers", callers, "--tools", tools];
  await using server = await startServer({ args, env: { ...env, MCP_AUDIT_FILE: "/dev/null" } });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(Case, async ({ callers, calls }) => {
      run++;
      const names = callers.map((_, at) => `run${run}-${at}`);
      await writeCallers(
        folder.path,
        Object.fromEntries(names.map((name, at) => [name, { tools: callers[at]?.tools }])),
      );
      await server.logged(new RegExp(`"added":\\["run${run}-0"`));
      const expected: string[] = [];
      await Promise.all(calls.map(async ({ caller: at, tool, way }, index) => {
        const caller = callers[at];
        const mark = `${run}-${index}`;
        const mayCall = caller?.may(tool) === true &&
          (!way.startsWith("job-start") || caller.may("job-start"));
        if (mayCall) expected.push(mark);
        const { status, challenge, text } = await CALL_WAYS[way]!(
          server.url,
          { tool, args: { mark } },
          bearerOf(names[at] ?? ""),
        );
        const what = `${way}: ${tool} with ${JSON.stringify(caller?.tools)}: ${status} ${text}`;
        deepStrictEqual([challenge, status === 401], [null, false], what);
        const isRefused = text.includes("not among the tools of the caller");
        strictEqual(isRefused, !mayCall, what);
        if (way.includes("/api")) strictEqual(status, mayCall ? 200 : 403, what);
      }));
      deepStrictEqual(await takeMarks(), expected.sort());
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

Deno.test("over stdio the caller is the default one, whatever the callers file says", async () => {
  await using folder = await createTempFolder();
  const { env, folder: tools, takeMarks } = await createMarkingTools(folder);
  const callers = await writeCallers(folder.path, { ci: {} });
  const args = ["--callers", callers, "--tools", tools];
  for (const revision of ["legacy", "2026-07-28"] as const) {
    await using peer = await connectOverStdio(v2Sdk(revision), { args, env });
    const listed = (await peer.listTools()).tools.map(({ name }) => name);
    ok(TOOLS.every((tool) => listed.includes(tool)));
    for (const tool of TOOLS) {
      const { isError } = await peer.callTool(tool, { mark: tool });
      strictEqual(isError === true, false);
    }
    deepStrictEqual(await takeMarks(), [...TOOLS].sort());
  }
});
