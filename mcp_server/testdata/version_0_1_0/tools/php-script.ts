import { registerScriptTool, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = (context) =>
  registerScriptTool(context, {
    language: "PHP",
    fileName: "script.php",
    interpreters: [{ program: "php" }],
    install: "apt-get install php-cli",
    note: "It must begin with <?php.",
  });

export default register;
