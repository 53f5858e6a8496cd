import { registerScriptTool, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = (context) =>
  registerScriptTool(context, {
    language: "Python 3",
    fileName: "script.py",
    interpreters: [{ program: "python3" }],
    install: "apt-get install python3",
  });

export default register;
