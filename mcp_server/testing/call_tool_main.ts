// Calls the tool that the arguments name, once for each, and prints the outcomes; see
// call_tool_in_process.ts.
import { pathToFileURL } from "node:url";
import type { ToolModule } from "../tool/tool.ts";
import { callTool } from "./call_tool.ts";

const [file = "", name = "", ...calls] = Deno.args;
const module: unknown = await import(pathToFileURL(file).href);
if (!isToolFile(module)) throw new TypeError(`Cannot call "${name}": ${file} is not a tool module`);
const outcomes: object[] = [];
for (const args of calls) {
  const { content: _content, ...outcome } = {
    content: [],
    ...await callTool(module.default, name, JSON.parse(args)),
  };
  outcomes.push(outcome);
}
console.log(JSON.stringify(outcomes));

function isToolFile(value: unknown): value is { default: ToolModule } {
  return typeof value === "object" && value !== null && "default" in value &&
    typeof value.default === "function";
}
