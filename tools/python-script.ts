import { registerScriptTool, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = (context) =>
  registerScriptTool(context, {
    language: "Python 3",
    fileName: "script.py",
    interpreters: [{ program: "python3", env: toEnv(context.env("PYTHONPATH")) }],
    install: "apt-get install python3",
  });

/**
 * An empty entry in PYTHONPATH means the working folder, where another user may have put modules.
 */
function toEnv(path = ""): Record<string, string> {
  return path === ""
    ? {}
    : { PYTHONPATH: path.split(":").filter((entry) => entry !== "").join(":") };
}

export default register;
