import * as z from "zod";
import type { ProgramParts } from "./compile_args.ts";
import { needlessFiles } from "./needless_files.ts";
import { readNpmPackages } from "./npm_packages.ts";

const ENTRY = "mcp_server/main.ts";
const TOOLS = "tools";
/** What runs in the threads of the file tools. */
const FILE_THREAD = "mcp_server/toolkit/files/file_system/file_thread_main.ts";

const Manifest = z.object({ tasks: z.object({ start: z.object({ command: z.string() }) }) });

/** Finds what goes into the server's program: `deno task start` says what it may do. */
export async function findProgramParts(root: string): Promise<ProgramParts> {
  const modules = [...await toolFiles(root), FILE_THREAD];
  return {
    entry: ENTRY,
    modules,
    excluded: needlessFiles(await readNpmPackages(root, [ENTRY, ...modules])),
    permissions: await startPermissions(root),
  };
}

async function toolFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name } of Deno.readDir(`${root}/${TOOLS}`)) {
    if (name.endsWith(".ts") && !name.endsWith("_test.ts")) files.push(`${TOOLS}/${name}`);
  }
  return files.sort();
}

async function startPermissions(root: string): Promise<string[]> {
  const manifest: unknown = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
  const { command } = Manifest.parse(manifest).tasks.start;
  return command.split(" ").filter((word) => word.startsWith("--allow-"));
}
