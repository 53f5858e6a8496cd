import { deepStrictEqual, match } from "node:assert/strict";
import type { ToolModule } from "../tool/tool.ts";
import type { Refusal } from "../tool/result.ts";
import { callTool, type CallToolOptions, outputOf, refusalOf } from "./call_tool.ts";

/** The tool `write-file`, as its tests call it. */
export interface WriteTool {
  /** Writes a file; resolves with the number of bytes. */
  write(args: object, options?: CallToolOptions): Promise<unknown>;
  /** Tries to write a file; resolves with the refusal. */
  refusal(args: object, options?: CallToolOptions): Promise<Refusal>;
}

/** Calls `write-file`; its output has nothing but the absolute path and the number of bytes. */
export function createWriteTool(module: ToolModule): WriteTool {
  const call = (args: object, options?: CallToolOptions) =>
    callTool(module, "write-file", args, options);
  return {
    write: async (args, options) => {
      const { path, bytesWritten, ...rest } = outputOf(await call(args, options));
      match(String(path), /^\//);
      deepStrictEqual(rest, {});
      return bytesWritten;
    },
    refusal: async (args, options) => refusalOf(await call(args, options)),
  };
}

/** The names in a folder, sorted. */
export function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
}

/** The mode of a file, as chmod(1) takes it. */
export function modeOf(path: string): string {
  return ((Deno.lstatSync(path).mode ?? 0) & 0o7777).toString(8).padStart(4, "0");
}

/** Creates a file with a mode, whatever the umask is. */
export async function createFile(path: string, mode: number, content = "old"): Promise<void> {
  await Deno.writeTextFile(path, content);
  await Deno.chmod(path, mode);
}
