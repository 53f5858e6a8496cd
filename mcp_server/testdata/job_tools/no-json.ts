import type { JsonObject, ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Answer something that is not JSON.", () => {
    const _meta: JsonObject = {};
    _meta.self = _meta;
    return { content: [], _meta };
  });
};

export default register;
