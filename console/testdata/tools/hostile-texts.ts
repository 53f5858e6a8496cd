import { buildResponse, ToolError, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const MARKUP = `<img src=x onerror="document.title='owned'"><b>bold</b>`;

// Says markup wherever a tool has a text of its own.
const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    title: `title ${MARKUP}`,
    description: `description ${MARKUP}`,
    inputSchema: {
      [`name ${MARKUP}`]: z.string().optional().describe(`field ${MARKUP}`),
      fails: z.boolean().optional(),
    },
  }, ({ fails }) => {
    if (fails === true) throw new ToolError(`error ${MARKUP}`, { code: "HOSTILE" });
    return buildResponse({
      text: MARKUP,
      rows: [{ [`column ${MARKUP}`]: `cell ${MARKUP}`, other: "javascript:alert(1)" }],
    });
  });
};

export default register;
