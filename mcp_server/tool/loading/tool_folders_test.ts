import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { dirname } from "node:path/posix";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Log } from "../../shared/log.ts";
import { ToolRegistry } from "../registry.ts";
import type { ToolFile } from "./load_tool.ts";
import { ToolFolders } from "./tool_folders.ts";

const TOOL = `import { buildResponse, z } from "@trestle/mcp-server/toolkit";
export default ({ mcpServer, toolName }) =>
  mcpServer.tool(toolName, "Adds.", { a: z.number() }, ({ a }) => buildResponse({ sum: a + 1 }));`;

/** Long enough for a busy machine to load a good tool. */
const SLOW_MS = 2_000;

/** Creates folders with files, and loads their tools. */
async function start(
  contents: readonly Record<string, string>[],
  prepare: (folder: string) => Promise<void> = () => Promise.resolve(),
) {
  const stack = new AsyncDisposableStack();
  const folders: string[] = [];
  for (const content of contents) {
    const folder = stack.use(await createTempFolder()).path;
    folders.push(folder);
    await writeFiles(folder, content);
    await prepare(folder);
  }
  const registry = new ToolRegistry();
  const warnings: string[] = [];
  const changes: string[] = [];
  const ignore = () => {};
  const warn = (message: string, fields: object = {}) => {
    warnings.push(`${message} ${JSON.stringify(fields)}`);
  };
  const log: Log = { debug: ignore, info: ignore, warn, error: ignore };
  const limits = { ...defaultLimits(2), toolLoadMs: contents.some(isSlow) ? SLOW_MS : 60_000 };
  const create = (fixed: readonly ToolFile[]) => {
    const tools = new ToolFolders({ fixed, folders: fixed.length > 0 ? [] : folders }, {
      registry,
      log,
      context: { limits, env: () => undefined, envNames: [] },
      createLog: () => log,
      onChange: () => changes.push(registry.names.join()),
    });
    stack.defer(() => tools.close());
    return tools;
  };
  return {
    folder: folders[0] ?? "",
    registry,
    warnings,
    changes,
    tools: create([]),
    create,
    describe: async () =>
      Object.fromEntries(
        (await registry.list()).map(({ name, description }) => [name, description]),
      ),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Whether one of the files takes longer than any test. */
function isSlow(files: Record<string, string>): boolean {
  return "slow.ts" in files || "hangs.ts" in files;
}

async function writeFiles(folder: string, content: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(content)) {
    await Deno.mkdir(dirname(`${folder}/${name}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
}

async function load(
  files: Record<string, string>,
  further: readonly Record<string, string>[] = [],
  prepare?: (folder: string) => Promise<void>,
) {
  await using started = await start([files, ...further], prepare);
  const reports = await started.tools.load();
  const problems = reports.filter(({ problem }) => problem !== undefined);
  const { registry, warnings } = started;
  return { registry, reports, warnings, problem: problems[0]?.problem };
}

Deno.test("ToolFolders loads a tool file from any folder, named after the file", async () => {
  const { registry, reports, warnings } = await load({ "add-one.ts": TOOL, "plain.js": TOOL });
  deepStrictEqual(registry.names, ["add-one", "plain"]);
  deepStrictEqual(reports.map(({ toolName }) => toolName), ["add-one", "plain"]);
  deepStrictEqual(warnings, []);
});

Deno.test("ToolFolders loads only tool files", async () => {
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

Deno.test("ToolFolders skips each unusable file with one line, and loads the others", async () => {
  const bad: Record<string, [string, RegExp]> = {
    "syntax.ts": ["export default (", /Expression expected|Unexpected/],
    "throws.ts": ["throw new Error('at import')", /^at import$/],
    "fails.ts": ["export default () => { throw new Error('at call') }", /^at call$/],
    "rejects.ts": ["export default async () => { throw new Error('later') }", /^later$/],
    "missing.ts": ["import './nowhere.ts'; export default () => {}", /nowhere\.ts/],
    "nothing.ts": ["export const a = 1", /its default export is not a function/],
    "object.ts": ["export default {}", /its default export is not a function/],
    "silent.ts": ["export default () => {}", /it registered no tool/],
    "slow.ts": ["export default () => new Promise(() => {})", /it took more than 2000 ms/],
    "renamed.ts": [TOOL.replace('toolName, "Adds', '"other", "Adds'), /named after its file/],
    "bad name.ts": [TOOL, /the tool name "bad name"/],
    "date.ts": [TOOL.replace("z.number()", "z.date()"), /Date/],
  };
  for (const [name, [text, expected]] of Object.entries(bad)) {
    const { registry, problem, warnings } = await load({ [name]: text, "zz.ts": TOOL });
    strictEqual(expected.test(problem ?? ""), true, `${name}: ${problem}`);
    strictEqual(problem?.includes("\n"), false, name);
    strictEqual(warnings.length, 1, name);
    deepStrictEqual(registry.names, ["zz"], name);
  }
});

Deno.test({
  name: "ToolFolders does not wait for a module that hangs while it is imported",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const hang = "await new Promise((resolve) => setTimeout(resolve, 5_000))";
    const { registry, problem } = await load({ "hangs.ts": hang, "zz.ts": TOOL });
    strictEqual(problem, "Cannot load the module: it took more than 2000 ms");
    deepStrictEqual(registry.names, ["zz"]);
  },
});

Deno.test("ToolFolders keeps the first of two tools with one name", async () => {
  const { registry, problem } = await load({ "a.ts": TOOL }, [{ "a.ts": TOOL, "b.ts": TOOL }]);
  deepStrictEqual(registry.names, ["a", "b"]);
  strictEqual(
    problem,
    'Cannot register the tool "a": an earlier folder has a tool of this name; rename the file',
  );
});

Deno.test("ToolFolders rejects a missing folder", async () => {
  await using started = await start([{ "a.ts": TOOL }]);
  const { tools, folder, registry } = started;
  await tools.load();
  await Deno.rename(folder, `${folder}-moved`);
  await rejects(tools.reload(), Deno.errors.NotFound);
  deepStrictEqual(registry.names, ["a"]);
  await Deno.rename(`${folder}-moved`, folder);
});

Deno.test("ToolFolders does not wait for a FIFO, and reads no device or huge file", async () => {
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
  deepStrictEqual(registry.names, ["a"]);
  const special = "Cannot load the module: it is not a regular file";
  const huge = "Cannot load the module: it has 1099511627776 bytes, 16777216 are the most";
  const problems = Object.fromEntries(reports.map(({ toolName, problem }) => [toolName, problem]));
  const { loop, "none-there": none, ...others } = problems;
  deepStrictEqual(others, { a: undefined, fifo: special, huge, link: special, zero: special });
  match(loop ?? "", /^Too many levels of symbolic links/);
  match(none ?? "", /^No such file/);
});

/** A tool that is described by a text from a module of its own. */
const IMPORTING = `import { TEXT } from "./lib/text.ts";
export default ({ mcpServer, toolName }) => mcpServer.tool(toolName, TEXT, () => ({ content: [] }));`;

function describing(text: string): string {
  return `export default ({ mcpServer, toolName, onShutdown }) => {
    mcpServer.tool(toolName, ${JSON.stringify(text)}, () => ({ content: [] }));
    onShutdown(() => { globalThis.ended = [...(globalThis.ended ?? []), ${
    JSON.stringify(text)
  }]; });
  };`;
}

Deno.test("ToolFolders.reload() loads changed files and changed imports, new files, and drops others", async () => {
  await using started = await start([{
    "same.ts": describing("same"),
    "edited.ts": describing("old"),
    "importing.ts": IMPORTING,
    "lib/text.ts": "export const TEXT: string = 'old';",
    "gone.ts": describing("gone"),
  }]);
  const { tools, folder, registry, changes, describe } = started;
  await tools.load();
  await tools.reload();
  const same = await registry.get("same");
  await writeFiles(folder, {
    "edited.ts": describing("new"),
    "lib/text.ts": "export const TEXT: string = 'new';",
    "added.ts": describing("added"),
  });
  await Deno.remove(`${folder}/gone.ts`);
  const states = (await tools.reload()).map(({ toolName, state }) => `${toolName} ${state}`);
  deepStrictEqual(states, [
    "added loaded",
    "edited loaded",
    "importing loaded",
    "same unchanged",
    "gone removed",
  ]);
  deepStrictEqual(await describe(), {
    added: "added",
    edited: "new",
    importing: "new",
    same: "same",
  });
  strictEqual(await registry.get("same"), same);
  deepStrictEqual(changes, ["added,edited,importing,same"]);
});

Deno.test("ToolFolders.reload() keeps the old tool while the new content can't be used", async () => {
  await using started = await start([{ "a.ts": describing("old") }]);
  const { tools, folder, warnings, changes, describe } = started;
  await tools.load();
  await writeFiles(folder, { "a.ts": "import './missing.ts'; syntax (" });
  const [broken] = await tools.reload();
  strictEqual(broken?.state, "kept");
  match(broken?.problem ?? "", /Expression expected/);
  match(warnings.join(), /tool not reloaded/);
  deepStrictEqual(await describe(), { a: "old" });
  await writeFiles(folder, { "a.ts": `import "./missing.ts"; ${describing("new")}` });
  match((await tools.reload())[0]?.problem ?? "", /missing\.ts/);
  await writeFiles(folder, { "missing.ts": "" });
  deepStrictEqual((await tools.reload()).map(({ state }) => state), ["loaded", "skipped"]);
  deepStrictEqual(await describe(), { a: "new" });
  deepStrictEqual(changes, ["a"]);
});

Deno.test("ToolFolders.reload() ends a replaced module once no call holds its tool", async () => {
  Reflect.deleteProperty(globalThis, "ended");
  const ended = () => Reflect.get(globalThis, "ended") ?? [];
  await using started = await start([{ "a.ts": describing("first") }]);
  const { tools, folder, registry } = started;
  await tools.load();
  const call = (await registry.get("a"))?.hold?.();
  await writeFiles(folder, { "a.ts": describing("second") });
  await tools.reload();
  deepStrictEqual(ended(), []);
  call?.[Symbol.dispose]();
  call?.[Symbol.dispose]();
  deepStrictEqual(ended(), ["first"]);
  await tools.close();
  deepStrictEqual(ended(), ["first", "second"]);
});

Deno.test("ToolFolders.reload() leaves a tool to the next folder that has one of its name", async () => {
  await using started = await start([{ "a.ts": describing("first") }, {
    "a.ts": describing("2nd"),
  }]);
  const { tools, folder, describe } = started;
  await tools.load();
  deepStrictEqual(await describe(), { a: "first" });
  await Deno.remove(`${folder}/a.ts`);
  await tools.reload();
  deepStrictEqual(await describe(), { a: "2nd" });
  await writeFiles(folder, { "a.ts": describing("third") });
  await tools.reload();
  deepStrictEqual(await describe(), { a: "third" });
});

Deno.test("ToolFolders.reload() runs one reload at a time, and one more for all requests meanwhile", async () => {
  await using started = await start([{ "a.ts": describing("old") }]);
  const { tools, folder, describe } = started;
  await tools.load();
  const first = tools.reload();
  // Without a turn of the event loop, in which the first one could end.
  Deno.writeTextFileSync(`${folder}/a.ts`, describing("new"));
  const others = [tools.reload(), tools.reload()];
  strictEqual(others[0], others[1]);
  await Promise.all([first, ...others]);
  deepStrictEqual(await describe(), { a: "new" });
});

Deno.test("ToolFolders loads a tool that comes with the server once it is asked for", async () => {
  Reflect.deleteProperty(globalThis, "ended");
  await using started = await start([{}]);
  const { registry, warnings, folder } = started;
  await writeFiles(folder, { "a.ts": describing("fixed"), "b.ts": "export const b = 1;" });
  const fixed = ["a", "b"].map((toolName) => ({ toolName, file: `${folder}/${toolName}.ts` }));
  const tools = started.create(fixed);
  await tools.load();
  await Deno.remove(`${folder}/a.ts`);
  await writeFiles(folder, { "a.ts": describing("at once") });
  strictEqual((await registry.get("a"))?.definition.description, "at once");
  deepStrictEqual([registry.names, warnings], [["a", "b"], []]);
  strictEqual(await registry.get("b"), undefined);
  match(warnings.join(), /tool skipped .*"b".*default export is not a function/);
  await tools.reload();
  strictEqual(Reflect.get(globalThis, "ended"), undefined, "a reload ends none of them");
  await tools.close();
  deepStrictEqual(Reflect.get(globalThis, "ended"), ["at once"]);
});
