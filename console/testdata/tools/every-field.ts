import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const Shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("square"), side: z.int().min(1) }),
]);

// Has a field of every kind, and answers with its arguments.
const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    title: "Every kind of field",
    inputSchema: {
      text: z.string().describe("Any text"),
      level: z.enum(["low", "high"]).optional(),
      count: z.int().min(1).max(9).optional(),
      urgent: z.boolean().optional(),
      names: z.array(z.string()).optional(),
      place: z.object({ city: z.string(), floor: z.int().optional() }).optional(),
      extra: z.record(z.string(), z.string()).optional(),
      amount: z.union([z.number(), z.string()]).optional(),
      shape: Shape.optional(),
      anything: z.any().optional(),
    },
  }, (args) => buildResponse({ args }));
};

export default register;
