import { api } from "@trestle/api-wrapper";
import type {
  Approval,
  Decision,
  EndedCallRecord,
  FleetApprovals,
  FleetCallList,
  Job,
  JobRequest,
  JsonObject,
  LiveCall,
  ToolDefinition,
} from "@trestle/mcp-server";
import { instance } from "./instance.ts";
import { openStream } from "./open_stream.ts";

/** A call of a tool, as it is sent. */
export interface ToolCall {
  readonly tool: string;
  readonly args: JsonObject;
}

const http = api("/api", instance);

/** The tools of the server, calls of them, and those that run. */
export const calls = {
  listTools: () => http.get<{ tools: ToolDefinition[] }>("tools"),
  /** The calls that run, on all servers. */
  list: () => http.get<FleetCallList>("calls", { params: { server: "*" } }),
  /** The last calls that have ended on the server. */
  history: () => http.get<{ calls: EndedCallRecord[] }>("history"),
  /** Stops one of them. */
  stop: (id: string) => http.delete<LiveCall>(`calls/${id}`),
  /** Calls a tool that takes no time. */
  call: async (call: ToolCall) => (await http.post<JsonObject>(call)).data,
  /** Calls a tool; the response is a stream of events. It ends with the connection. */
  stream: (call: ToolCall, signal: AbortSignal) =>
    openStream("/api", {
      method: "POST",
      headers: { Accept: "text/event-stream" },
      data: call,
      signal,
    }),
  /** Starts a job, which continues without the page. */
  startJob: (call: ToolCall & Pick<JobRequest, "title" | "stdin" | "tty" | "on">) =>
    http.post<Job>(call, { headers: { Prefer: "respond-async" } }),
};

const approvalsHttp = api("/api/approvals", instance);

/** The calls of all callers that wait for approval on any server, for an admin. */
export const approvals = {
  list: () => approvalsHttp.get<FleetApprovals>("", { params: { server: "*" } }),
  /** Approves or declines one of them. */
  decide: (id: string, decision: Decision) =>
    api(`/api/approvals/${id}`, instance).post<Approval>({ decision }),
};
