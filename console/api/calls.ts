import { api } from "@trestle/api-wrapper";
import type { Job, JsonObject, ToolDefinition } from "@trestle/mcp-server";
import { instance } from "./instance.ts";
import { openStream } from "./open_stream.ts";

/** A call of a tool, as it is sent. */
export interface ToolCall {
  readonly tool: string;
  readonly args: JsonObject;
}

const http = api("/api", instance);

/** The tools of the server, and calls of them. */
export const calls = {
  listTools: () => http.get<{ tools: ToolDefinition[] }>("tools"),
  /** Calls a tool; the response is a stream of events. It ends with the connection. */
  stream: (call: ToolCall, signal: AbortSignal) =>
    openStream("/api", {
      method: "POST",
      headers: { Accept: "text/event-stream" },
      data: call,
      signal,
    }),
  /** Starts a job, which continues without the page. */
  startJob: (call: ToolCall & { readonly stdin?: boolean }) =>
    http.post<Job>(call, { headers: { Prefer: "respond-async" } }),
};
