import { JsonRpcError, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    description: "Fail with an error of the protocol, as a task only.",
    execution: { taskSupport: "required" },
  }, () => {
    throw new JsonRpcError("Cannot answer: the request is wrong for testing", { rpcCode: -32_602 });
  });
};

export default register;
