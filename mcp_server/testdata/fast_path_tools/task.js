/** Can be called as a task only. */
export default ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, { execution: { taskSupport: "required" } }, () => {
    return { content: [{ type: "text", text: "done" }] };
  });
};
