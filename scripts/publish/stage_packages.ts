import { dirname } from "node:path/posix";
import * as z from "zod";
import { sourceFiles } from "../source_files.ts";
import { JSR_EXPORTS } from "../workspace.ts";
import { lateModules, WORKERS } from "../compile/program_parts.ts";
import { unfurlImports } from "./unfurl_imports.ts";

/** The member that is published with the tools, which lie beside it in the repository. */
const SERVER = "mcp_server";
const TOOLS = "tools";
/** The module that finds the tools in a checkout; on JSR it is a list. */
const TOOL_LIST = `${SERVER}/app/built_in_tools.ts`;
const TOOLKIT = "@trestle/mcp-server/toolkit";

const Root = z.object({
  workspace: z.array(z.string()),
  imports: z.record(z.string(), z.string()),
  compilerOptions: z.record(z.string(), z.unknown()),
});
const Manifest = z.looseObject({ exports: z.record(z.string(), z.string()) });

/**
 * Writes the packages of the workspace into a folder, as a workspace that `deno publish` takes: the
 * tool server has the built-in tools in it, a list of them, and the export `./main`. Earlier content
 * of the folder is removed.
 */
export async function stagePackages(root: string, target: string): Promise<void> {
  const { workspace, imports, compilerOptions } = Root.parse(await readJson(`${root}/deno.json`));
  const folders = workspace.map((path) => path.replace(/^\.\//, ""));
  await Deno.remove(target, { recursive: true }).catch(ignoreNotFound);
  const paths = await sourceFiles(root, [""]);
  for (const path of paths.filter((path) => folders.some((name) => path.startsWith(`${name}/`)))) {
    await write(`${target}/${path}`, await Deno.readFile(`${root}/${path}`));
  }
  const tools = paths.filter((path) =>
    path.startsWith(`${TOOLS}/`) && /(?<!_test)\.ts$/.test(path)
  );
  for (const path of tools) {
    const toolkit = `${dirname(path).replaceAll(/\w+/g, "..")}/toolkit.ts`;
    const source = await Deno.readTextFile(`${root}/${path}`);
    await write(`${target}/${SERVER}/${path}`, unfurlImports(source, { [TOOLKIT]: toolkit }));
  }
  await write(`${target}/${TOOL_LIST}`, toListModule(tools, await lateModules(root)));
  const { exports, ...manifest } = Manifest.parse(await readJson(`${root}/${SERVER}/deno.json`));
  const withMain = { ...manifest, exports: { ...exports, ...JSR_EXPORTS[SERVER] } };
  await write(`${target}/${SERVER}/deno.json`, toJson(withMain));
  await write(`${target}/deno.json`, toJson({ workspace, imports, compilerOptions }));
  await write(`${target}/deno.lock`, await Deno.readFile(`${root}/deno.lock`));
}

/**
 * The module that has the tools, because one that is loaded over the network can't read a folder. It
 * imports them, what is loaded late, and the programs of worker processes by literal names, so that
 * Deno downloads all of them with it.
 */
function toListModule(tools: readonly string[], late: readonly string[]): string {
  const names = tools.flatMap((path) =>
    new RegExp(`^${TOOLS}/([^/]+)\\.ts$`).exec(path)?.[1] ?? []
  );
  const programs = [
    ...names.map((name) => `../${TOOLS}/${name}.ts`),
    ...[...late, ...WORKERS].map((path) => path.replace(`${SERVER}/`, "../")),
  ];
  return `import type { ToolFile } from "../tool/loading/load_tool.ts";

/** The tools that come with the server. */
export function builtInTools(): Promise<ToolFile[]> {
  return Promise.resolve(${JSON.stringify(names)}.map((toolName) => {
    return { toolName, file: new URL(\`../${TOOLS}/\${toolName}.ts\`, import.meta.url).href };
  }));
}

/** Never called: what it names is downloaded with this module. */
export function downloaded(): Promise<unknown>[] {
  return [
${programs.map((path) => `    import("${path}"),\n`).join("")}  ];
}
`;
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(path));
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  if (typeof content === "string") await Deno.writeTextFile(path, content);
  else await Deno.writeFile(path, content);
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
