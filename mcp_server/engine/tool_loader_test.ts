import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { defaultLimits } from "../domain/limits.ts";
import type { Log } from "../domain/log.ts";
import { ToolRegistry } from "../domain/registry.ts";
import { loadTools } from "./tool_loader.ts";

const TOOL = `import { buildResponse, z } from "@trestle/mcp-server/toolkit";
export default ({ mcpServer, toolName }) =>
  mcpServer.tool(toolName, "Adds.", { a: z.number() }, ({ a }) => buildResponse({ sum: a + 1 }));`;

async function load(
  files: Record<string, string>,
  further: Record<string, string>[] = [],
  prepare: (folder: string) => Promise<void> = () => Promise.resolve(),
) {
  const folders: string[] = [];
  for (const content of [files, ...further]) {
    const folder = await Deno.makeTempDir({ prefix: "tools" });
    folders.push(folder);
    for (const [name, text] of Object.entries(content)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    await prepare(folder);
  }
  const registry = new ToolRegistry();
  const warnings: string[] = [];
  const ignore = () => {};
  const warn = (message: string, fields: object = {}) => {
    warnings.push(`${message} ${JSON.stringify(fields)}`);
  };
  const log: Log = { debug: ignore, info: ignore, warn, error: ignore };
  const limits = { ...defaultLimits(2), toolLoadMs: 500 };
  const context = { limits, env: () => undefined, onShutdown: () => {} };
  try {
    const reports = await loadTools(folders, { registry, log, context, createLog: () => log });
    const problems = reports.filter(({ problem }) => problem !== undefined);
    return { registry, reports, warnings, problem: problems[0]?.problem };
  } finally {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("loadTools() loads a tool file from any folder, named after the file", async () => {
  const { registry, reports, warnings } = await load({ "add-one.ts": TOOL, "plain.js": TOOL });
  deepStrictEqual(registry.list().map(({ name }) => name), ["add-one", "plain"]);
  deepStrictEqual(reports.map(({ toolName }) => toolName), ["add-one", "plain"]);
  deepStrictEqual(warnings, []);
});

Deno.test("loadTools() loads only tool files", async () => {
  const { reports } = await load({
    "a.ts": TOOL,
    "a_test.ts": "throw new Error('a test')",
    "a.test.ts": "throw new Error('a test')",
    "types.d.ts": "",
    "_shared.ts": "",
    ".hidden.ts": "",
    "README.md": "",
  });
  deepStrictEqual(reports.map(({ toolName }) => toolName), ["a"]);
});

Deno.test("loadTools() skips each unusable file with one line, and loads the others", async () => {
  const bad: Record<string, [string, RegExp]> = {
    "syntax.ts": ["export default (", /Expression expected|Unexpected/],
    "throws.ts": ["throw new Error('at import')", /^at import$/],
    "fails.ts": ["export default () => { throw new Error('at call') }", /^at call$/],
    "rejects.ts": ["export default async () => { throw new Error('later') }", /^later$/],
    "missing.ts": ["import './nowhere.ts'; export default () => {}", /nowhere\.ts/],
    "nothing.ts": ["export const a = 1", /its default export is not a function/],
    "object.ts": ["export default {}", /its default export is not a function/],
    "silent.ts": ["export default () => {}", /it registered no tool/],
    "slow.ts": ["export default () => new Promise(() => {})", /it took more than 500 ms/],
    "renamed.ts": [TOOL.replace('toolName, "Adds', '"other", "Adds'), /named after its file/],
    "bad name.ts": [TOOL, /the tool name "bad name"/],
    "date.ts": [TOOL.replace("z.number()", "z.date()"), /Date/],
  };
  for (const [name, [text, expected]] of Object.entries(bad)) {
    const { registry, problem, warnings } = await load({ [name]: text, "zz.ts": TOOL });
    strictEqual(expected.test(problem ?? ""), true, `${name}: ${problem}`);
    strictEqual(problem?.includes("\n"), false, name);
    strictEqual(warnings.length, 1, name);
    deepStrictEqual(registry.list().map((tool) => tool.name), ["zz"], name);
  }
});

Deno.test({
  name: "loadTools() does not wait for a module that hangs while it is imported",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const hang = "await new Promise((resolve) => setTimeout(resolve, 5_000))";
    const { registry, problem } = await load({ "hangs.ts": hang, "zz.ts": TOOL });
    strictEqual(problem, "Cannot load the module: it took more than 500 ms");
    deepStrictEqual(registry.list().map(({ name }) => name), ["zz"]);
  },
});

Deno.test("loadTools() keeps the first of two tools with one name", async () => {
  const { registry, problem } = await load({ "a.ts": TOOL }, [{ "a.ts": TOOL, "b.ts": TOOL }]);
  deepStrictEqual(registry.list().map(({ name }) => name), ["a", "b"]);
  strictEqual(problem, 'Cannot register the tool "a": the name is taken');
});

Deno.test("loadTools() rejects a missing folder", async () => {
  const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
  await rejects(
    loadTools(["/nowhere/at/all"], {
      registry: new ToolRegistry(),
      log,
      context: { limits: defaultLimits(2), env: () => undefined, onShutdown: () => {} },
      createLog: () => log,
    }),
    Deno.errors.NotFound,
  );
});

Deno.test("loadTools() does not wait for a FIFO, and reads no device or huge file", async () => {
  const { registry, reports } = await load({ "a.ts": TOOL }, [], async (folder) => {
    const { success } = await new Deno.Command("mkfifo", { args: [`${folder}/fifo.ts`] }).output();
    strictEqual(success, true);
    await Deno.symlink("fifo.ts", `${folder}/link.ts`);
    await Deno.symlink("loop.ts", `${folder}/loop.ts`);
    await Deno.symlink("/dev/zero", `${folder}/zero.ts`);
    await Deno.symlink("none.ts", `${folder}/none-there.ts`);
    await Deno.writeTextFile(`${folder}/huge.ts`, "");
    await Deno.truncate(`${folder}/huge.ts`, 2 ** 40);
  });
  deepStrictEqual(registry.list().map(({ name }) => name), ["a"]);
  const special = "Cannot load the module: it is not a regular file";
  const huge = "Cannot load the module: it has 1099511627776 bytes, 16777216 are the most";
  const problems = Object.fromEntries(reports.map(({ toolName, problem }) => [toolName, problem]));
  const { loop, "none-there": none, ...others } = problems;
  deepStrictEqual(others, { a: undefined, fifo: special, huge, link: special, zero: special });
  match(loop ?? "", /^Too many levels of symbolic links/);
  match(none ?? "", /^No such file/);
});
