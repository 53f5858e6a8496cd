import { type CallOutcome, type Refusal, textOf, type ToolResult } from "../tool/result.ts";
import type { RegisteredTool } from "../tool/tool.ts";
import { invalidOutput } from "./refusals.ts";

/** The outcome of a call that was not carried out. */
export type Refused = Extract<CallOutcome, { readonly ok: false }>;

/** Says that a call was not carried out. */
export function refuse(refusal: Refusal): Refused {
  return { ok: false, refusal };
}

/** The outcome of a tool that reports its failure itself. */
export function failed(result: ToolResult): CallOutcome {
  const refusal = { kind: "TOOL_FAILED", code: "TOOL_FAILED", message: textOf(result) } as const;
  return { ok: false, refusal, result };
}

/** The outcome of a tool; rejects with a `TypeError` if its output is not as its schema says. */
export async function ended(tool: RegisteredTool, result: ToolResult): Promise<CallOutcome> {
  const output = await tool.validateOutput?.(result.structuredContent);
  if (output?.ok === false) throw invalidOutput(tool.definition.name, output);
  return { ok: true, result };
}
