import type { ToolModule } from "@trestle/mcp-server/toolkit";

/** A WAV header without samples. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Answer with sound.", () => ({
    content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  }));
};

export default register;
