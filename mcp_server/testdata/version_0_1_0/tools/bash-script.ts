import { registerScriptTool, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = (context) =>
  registerScriptTool(context, {
    language: "Bash",
    fileName: "script.sh",
    interpreters: [{ program: "bash" }],
    install: "apt-get install bash",
  });

export default register;
