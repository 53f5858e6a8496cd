import { basename } from "node:path";
import { registerScriptTool, type ToolModule } from "@trestle/mcp-server/toolkit";

/** What each runtime needs so that modules and CommonJS run, and nothing is asked of anyone. */
const ARGS: Readonly<Record<string, readonly string[]>> = {
  deno: ["run", "--quiet", "--allow-all", "--no-lock", "--unstable-detect-cjs"],
};

const RUNTIMES = ["node", "deno", "bun"];

const register: ToolModule = (context) => {
  const chosen = context.env("MCP_JS_RUNTIME");
  const programs = chosen ? [chosen] : RUNTIMES;
  registerScriptTool(context, {
    language: "JavaScript",
    fileName: "script.js",
    interpreters: programs.map((program) => ({ program, args: ARGS[basename(program)] ?? [] })),
    install: "apt-get install nodejs, or set MCP_JS_RUNTIME",
    note: "ES module or CommonJS, run by Node.js, Deno or Bun.",
  });
};

export default register;
