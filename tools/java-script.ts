import { basename } from "node:path";
import { type Interpreter, registerScriptTool, type ToolModule } from "@trestle/mcp-server/toolkit";

/**
 * How each runtime runs modules and CommonJS without prompts, and loads nothing that another user
 * has put into folders above the script or, for Bun, into the working folder: neither modules nor
 * settings. The script's own `package.json` ends the search for one.
 */
const RUNTIMES: Readonly<Record<string, Omit<Interpreter, "program">>> = {
  node: { args: ["--preserve-symlinks-main"], foldersAbove: "hidden" },
  deno: {
    args: (folder) => [
      ...["run", "--quiet", "--allow-all", "--no-lock", "--no-config", "--unstable-detect-cjs"],
      ...["--preload", leaveOutFoldersAbove(folder)],
    ],
    files: { "package.json": "{}" },
  },
  bun: {
    args: ["run", "--config=/dev/null", "--env-file=/dev/null", "--no-install"],
    files: { "package.json": "{}", "tsconfig.json": "{}" },
    foldersAbove: "private",
  },
};

/** A module that removes the folders above the script from the search path of `require()`. */
function leaveOutFoldersAbove(folder: string): string {
  const code = `import Module from "node:module";
const toPaths = Module._nodeModulePaths;
const above = new Set(toPaths(${JSON.stringify(folder)}));
Module._nodeModulePaths = (from) => toPaths(from).filter((path) => !above.has(path));`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

const register: ToolModule = (context) => {
  const chosen = context.env("MCP_JS_RUNTIME");
  const programs = chosen ? [chosen] : Object.keys(RUNTIMES);
  return registerScriptTool(context, {
    language: "JavaScript",
    fileName: "script.js",
    interpreters: programs.map((program) => ({ program, ...toRuntime(program) })),
    install: "apt-get install nodejs, or set MCP_JS_RUNTIME",
    note: "ES module or CommonJS, run by Node.js, Deno or Bun.",
  });
};

function toRuntime(program: string): Omit<Interpreter, "program"> {
  const name = basename(program).replace(/^nodejs$/, "node");
  return RUNTIMES[name] ?? {};
}

export default register;
