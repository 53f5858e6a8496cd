import { buildResponse, type ToolModule } from "@trestle/mcp-server/toolkit";

/** A picture of one pixel. */
const blob =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJ" +
  "RU5ErkJggg==";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    description: "Read bytes that never change.",
    annotations: { readOnlyHint: true },
    resource: {
      name: "Static bytes",
      template: "test://static-binary",
      contents: () => ({ mimeType: "image/png", blob }),
    },
  }, () => buildResponse({ blob }));
};

export default register;
