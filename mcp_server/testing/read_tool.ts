import { deepStrictEqual, ok } from "node:assert/strict";
import type { ToolModule } from "../tool/tool.ts";
import type { Refusal } from "../tool/result.ts";
import { callTool, type CallToolOptions, outputOf, refusalOf } from "./call_tool.ts";

/** The tool `read-file`, as its tests call it. */
export interface ReadTool {
  /** Reads a file, whether it can be read or not. */
  call(args: object, options?: CallToolOptions): ReturnType<typeof callTool>;
  /** Reads a file; resolves with its content. */
  content(args: object, options?: CallToolOptions): Promise<string>;
  /** Tries to read a file; resolves with the refusal. */
  refusal(args: object, options?: CallToolOptions): Promise<Refusal>;
}

/** Calls `read-file`; the output of a text has nothing but the content, the size and where to go on. */
export function createReadTool(module: ToolModule): ReadTool {
  const call = (args: object, options?: CallToolOptions) =>
    callTool(module, "read-file", args, options);
  return {
    call,
    content: async (args, options) => {
      const { content, size, nextOffset: _next, ...rest } = outputOf(await call(args, options));
      deepStrictEqual(rest, {});
      ok(typeof size === "number");
      ok(typeof content === "string");
      return content;
    },
    refusal: async (args, options) => refusalOf(await call(args, options)),
  };
}
