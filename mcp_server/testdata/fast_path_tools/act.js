import { JsonRpcError, ToolError, z } from "@trestle/mcp-server/toolkit";

const STEPS = {
  report: (extra) => extra.progress({ progress: 1, total: 2, message: "half" }),
  flood: async (extra) => {
    for (let at = 0; at < 500; at++) extra.progress({ progress: at, message: `progress ${at}` });
    for (let at = 0; at < 500; at++) {
      await extra.sendNotification({
        method: "notifications/message",
        params: { level: "warning", data: `log ${at}` },
      });
    }
  },
  chat: async (extra) => {
    const params = { level: "info", data: "x".repeat(5_000) };
    for (let at = 0; at < 300; at++) {
      await extra.sendNotification({ method: "notifications/message", params });
    }
    extra.progress({ progress: 1, message: "after it" });
  },
  print: (extra) => extra.output({ stream: "stdout", text: "a line\n", bytes: 7 }),
  log: (extra) =>
    extra.sendNotification({
      method: "notifications/message",
      params: { level: "warning", data: "careful" },
    }),
  ask: (extra) => extra.ask({ message: "Sure?", schema: z.object({ sure: z.boolean() }) }),
  wait: () => new Promise((resolve) => setTimeout(resolve, 75)),
  fail: () => Promise.reject(new ToolError("Cannot act: it is told to fail")),
  reject: () => Promise.reject(new JsonRpcError("no", { rpcCode: -32_050, data: { why: 1 } })),
  stop: ({ signal }) => {
    const { promise, resolve } = Promise.withResolvers();
    signal.addEventListener("abort", resolve);
    return promise;
  },
};

/** Does what its arguments say, and returns what they contain. */
export default ({ mcpServer, toolName }) => {
  const shape = {
    steps: z.array(z.enum(Object.keys(STEPS))).default([]),
    result: z.unknown().optional(),
  };
  mcpServer.tool(toolName, "Act.", shape, async ({ steps, result }, extra) => {
    for (const step of steps) await STEPS[step](extra);
    return result;
  });
};
