import { buildResponse, type ToolModule } from "@trestle/mcp-server/toolkit";

/** Adds a tool to its folder, or changes it; the server watches the folder. */
const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Changes the list of tools", async () => {
    const added = `export default ({ mcpServer, toolName }) => {
      mcpServer.tool(toolName, "Added at ${Date.now()}", () => ({ content: [] }));
    };`;
    await Deno.writeTextFile(new URL("./added.js", import.meta.url), added);
    return buildResponse({ changed: true });
  });
};
export default register;
