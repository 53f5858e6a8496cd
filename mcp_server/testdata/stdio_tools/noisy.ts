import { buildResponse, type ToolModule } from "@trestle/mcp-server/toolkit";

console.log("printed while the module is imported");

const register: ToolModule = ({ mcpServer, toolName }) => {
  console.info("printed while the tool is registered");
  mcpServer.tool(toolName, "Print while it answers.", () => {
    console.log("printed by a call");
    console.debug("printed by a call");
    console.dir({ printed: true });
    console.table([{ printed: true }]);
    console.count("printed");
    return buildResponse({ printed: true });
  });
};

export default register;
