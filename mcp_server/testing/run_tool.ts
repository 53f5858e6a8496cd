import type { JsonObject } from "../shared/json.ts";
import type { ToolModule } from "../tool/tool.ts";
import type { Refusal } from "../tool/result.ts";
import { createTestRunner } from "./test_runner.ts";
import { callTool, type CallToolOptions, outputOf, refusalOf } from "./call_tool.ts";

/** A tool whose commands are run for real. */
export interface RealTool {
  /** Calls it and returns its output. */
  output(args: object, options?: CallToolOptions): Promise<JsonObject>;
  /** Calls it and returns its refusal. */
  refusal(args: object, options?: CallToolOptions): Promise<Refusal>;
}

/** Calls one tool with a real runner; every process is gone after each call. */
export function realTool(module: ToolModule, toolName: string): RealTool {
  const call = async (args: object, options: CallToolOptions = {}) => {
    const { env, limits } = options;
    await using runner = createTestRunner(limits, env);
    using commands = runner.pool.forCall();
    return await callTool(module, toolName, args, { commands, ...options });
  };
  return {
    output: async (args, options) => outputOf(await call(args, options)),
    refusal: async (args, options) => refusalOf(await call(args, options)),
  };
}
