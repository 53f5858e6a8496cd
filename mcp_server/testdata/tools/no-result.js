export default ({ mcpServer, toolName }) => mcpServer.tool(toolName, () => "just text");
