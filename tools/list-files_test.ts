import { deepStrictEqual, match, ok } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import {
  callTool,
  type CallToolOptions,
  outputOf,
  refusalOf,
  registerTool,
} from "../mcp_server/testing/call_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { times } from "../test_support/tier.ts";
import listFiles from "./list-files.ts";

const call = (args: object, options?: CallToolOptions) =>
  callTool(listFiles, "list-files", args, options);
const list = async (args: object, options?: CallToolOptions) => outputOf(await call(args, options));
const refusal = async (args: object, options?: CallToolOptions) =>
  refusalOf(await call(args, options));

/** The paths of an answer, those of folders with a slash, and how many more there are. */
async function pathsOf(args: object, options?: CallToolOptions) {
  const { entries, more } = await list(args, options);
  const paths = (Array.isArray(entries) ? entries : [])
    .map((entry) => `${Object(entry).path}${Object(entry).type === "folder" ? "/" : ""}`);
  return more === undefined ? paths : [...paths, more];
}

Deno.test("list-files is described in less than 1 kB", async () => {
  const { definition } = await registerTool(listFiles, "list-files");
  ok(
    JSON.stringify({ ...definition, icons: undefined }).length < 1_000,
    `${JSON.stringify({ ...definition, icons: undefined }).length}`,
  );
});

const TIME = new Date("2026-01-02T03:04:05.000Z");

async function createTree(at: string): Promise<void> {
  await Deno.mkdir(`${at}/b/c`, { recursive: true });
  await Deno.mkdir(`${at}/.git`);
  await Deno.writeTextFile(`${at}/.gitignore`, "*.log\n");
  for (const name of ["a\n.txt", "a.log", "b/c/d.ts", "b/x.log"]) {
    await Deno.writeTextFile(`${at}/${name}`, "four");
    await Deno.utime(`${at}/${name}`, TIME, TIME);
  }
  await Deno.symlink("b", `${at}/link`);
}

Deno.test("list-files lists a folder with type, size and time", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await createTree(path);
  const { entries } = await list({ path, glob: "{a*,link}" });
  const [, { modified = "" } = {}] = Array.isArray(entries) ? entries.map(Object) : [];
  match(modified, /^\d{4}-.*Z$/);
  deepStrictEqual(entries, [
    { path: "a\n.txt", type: "file", size: 4, modified: TIME.toISOString() },
    { path: "link", type: "link", modified },
  ]);
});

const WAYS: Readonly<Record<string, (path: string) => CallToolOptions>> = {
  "a caller without bounds": () => ({}),
  "a bounded caller": (path) => ({ caller: boundedCaller({ paths: [`${path}/**`] }) }),
};

for (const [who, optionsFor] of Object.entries(WAYS)) {
  Deno.test(`list-files shows as many levels and files as asked for to ${who}`, async () => {
    await using folder = await createTempFolder();
    const { path } = folder;
    await createTree(path);
    const cases: [args: object, paths: unknown[]][] = [
      [{}, [".gitignore", "a\n.txt", "b/", "link"]],
      [{ depth: 2 }, [".gitignore", "a\n.txt", "b/", "b/c/", "link"]],
      [{ depth: 9, all: true, glob: "b/**" }, ["b/c/", "b/c/d.ts", "b/x.log"]],
      [{ depth: 9, glob: "*.ts" }, ["b/c/d.ts"]],
      [{ depth: 9, limit: 2 }, [".gitignore", "a\n.txt", 4]],
      [{ path: `${path}/b` }, ["c/"]],
      [{ path: `${path}/link`, all: true }, ["c/", "x.log"]],
    ];
    for (const [args, paths] of cases) {
      deepStrictEqual(await pathsOf({ path, ...args }, optionsFor(path)), paths);
    }
  });
}

Deno.test("list-files shows a bounded caller only what it may use", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  for (const name of ["srv/in", "srv/out", "etc"]) {
    await Deno.mkdir(`${path}/${name}`, { recursive: true });
    await Deno.writeTextFile(`${path}/${name}/f`, "");
  }
  await Deno.symlink("../etc", `${path}/srv/link`);
  const caller = boundedCaller({ paths: [`${path}/srv`, `${path}/srv/in/**`] });
  deepStrictEqual(await pathsOf({ path: `${path}/srv`, depth: 9 }, { caller }), ["in/", "in/f"]);
  for (const outside of [path, `${path}/srv/out`, `${path}/srv/link`, `${path}/none`]) {
    const refused = await refusal({ path: outside }, { caller });
    match(refused.message, /^Cannot list ".+": it is not among the paths of the caller "ci"/);
  }
});

Deno.test("list-files refuses what is no folder", async () => {
  await using folder = await createTempFolder();
  const file = `${folder.path}/file`;
  await Deno.writeTextFile(file, "");
  deepStrictEqual(
    [await refusal({ path: file }), await refusal({ path: `${file}s` })].map(({ code }) => code),
    ["NOT_A_FOLDER", "NOT_FOUND"],
  );
});

Deno.test("list-files is bounded, and says how many more files there are", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  const count = times(3_000, 200_000);
  for (let at = 0; at < count; at++) Deno.writeFileSync(`${path}/${at}`, new Uint8Array(0));
  const output = await list({ path, limit: 1_000 }, { limits: { timeoutMs: 600_000 } });
  const { entries, more } = output;
  const listed = Array.isArray(entries) ? entries.length : 0;
  ok(listed > 200 && JSON.stringify(output).length <= 32 * 1_024);
  deepStrictEqual([more, output.truncated], [count - listed, undefined]);
});
