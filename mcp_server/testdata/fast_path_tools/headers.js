import { z } from "@trestle/mcp-server/toolkit";

/** Has an argument that clients repeat in a header. */
export default ({ mcpServer, toolName }) => {
  const region = z.string().optional().meta({ "x-mcp-header": "Region" });
  mcpServer.tool(toolName, "Look up.", { region }, () => {
    return { content: [{ type: "text", text: "done" }] };
  });
};
