import {
  type ConnectedMcpSessionPort,
  createApplicationInputHandler,
  type TaskEnabledSession,
  withTasks,
} from "@modelcontextprotocol/ext-tasks/client";
import * as z from "zod";
import { TASKS_AND_FORMS, type TaskWire } from "./task_wire.ts";

const Request = z.looseObject({ method: z.string(), params: z.looseObject({}).default({}) });

/**
 * The client of the MCP project's own package for tasks, which checks every answer against its
 * schemas; it answers each question with `content`.
 */
export function createTaskSession(
  wire: TaskWire,
  content: Readonly<Record<string, string | boolean>> = {},
): TaskEnabledSession {
  const refuse = () => {
    throw new Error("Cannot answer this kind of request");
  };
  return withTasks(toPort(wire), {
    onInputRequest: createApplicationInputHandler({
      elicitation: () => ({ action: "accept", content }),
      sampling: refuse,
      roots: refuse,
    }),
  });
}

function toPort(wire: TaskWire): ConnectedMcpSessionPort {
  const ignore = () => () => {};
  return {
    endpointId: "test",
    taskCapabilities: { generation: "v2", capabilities: {} },
    dispatch: async (message, options = {}) => {
      const { method, params } = Request.parse(message);
      const { signal } = options;
      const { error, result = {} } = await wire.request(method, params, {
        capabilities: TASKS_AND_FORMS,
        ...(signal === undefined ? {} : { signal }),
      });
      const kind = error === undefined ? { kind: "result", result } : { kind: "error", error };
      // What came as JSON is JSON.
      return kind as Awaited<ReturnType<ConnectedMcpSessionPort["dispatch"]>>;
    },
    onServerRequest: ignore,
    onNotification: ignore,
    onInvalidated: ignore,
    invalidated: false,
  };
}
