import type { ToolModule } from "@trestle/mcp-server/toolkit";

/** One red pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Answer with an image.", () => ({
    content: [{ type: "image", data: PNG, mimeType: "image/png" }],
  }));
};

export default register;
