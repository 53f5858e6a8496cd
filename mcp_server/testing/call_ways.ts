import { postMcp } from "./mcp_request.ts";

/** A call of a tool, as a test sends it. */
export interface WayCall {
  readonly tool: string;
  readonly args: object;
}

/** Sends a call and waits for its end; resolves with all that the server answered. */
export type CallWay = (url: string, call: WayCall, headers: HeadersInit) => Promise<WayAnswer>;

/** All that the server answered. */
export interface WayAnswer {
  readonly status: number;
  readonly challenge: string | null;
  readonly text: string;
}

const LEGACY = { revision: "2025-11-25" } as const;

/** Every way over HTTP in which a tool can be called, by name. */
export const CALL_WAYS: Readonly<Record<string, CallWay>> = {
  "POST /api": api({}),
  "POST /api with events": api({ accept: "text/event-stream" }),
  "POST /api as a job": api({ prefer: "respond-async, wait=20" }),
  "job-start over HTTP": (url, call, headers) => {
    return finished(url, api({})(url, { tool: "job-start", args: call }, headers), headers);
  },
  "MCP 2026-07-28": (url, { tool, args }, headers) =>
    answerOf(postMcp(url, toolCall(tool, args), { headers })),
  "job-start over MCP 2026-07-28": (url, call, headers) => {
    const start = answerOf(postMcp(url, toolCall("job-start", call), { headers }));
    return finished(url, start, headers);
  },
  "MCP 2025-11-25": (url, { tool, args }, headers) =>
    answerOf(postMcp(url, toolCall(tool, args), { headers, ...LEGACY })),
  "a batch of MCP 2025-11-25": (url, { tool, args }, headers) => {
    const messages = [{ method: "tools/list" }, toolCall(tool, args)];
    const batch = messages.map((message, id) => ({ jsonrpc: "2.0", id, ...message }));
    return answerOf(postMcp(url, batch, { headers, ...LEGACY }));
  },
  "a task of MCP 2025-11-25": async (url, { tool, args }, headers) => {
    const { method, params } = toolCall(tool, args);
    const call = { method, params: { ...params, task: {} } };
    const started = await answerOf(postMcp(url, call, { headers, ...LEGACY }));
    const [, taskId] = /"taskId":"([^"]+)"/.exec(started.text) ?? [];
    if (taskId === undefined) return started;
    const result = { method: "tasks/result", params: { taskId } };
    return await answerOf(postMcp(url, result, { headers, ...LEGACY }));
  },
};

function toolCall(name: string, args: object) {
  return { method: "tools/call", params: { name, arguments: args } };
}

function api(more: Record<string, string>): CallWay {
  return (url, call, headers) =>
    answerOf(fetch(`${url}/api`, {
      method: "POST",
      headers: { "content-type": "application/json", ...more, ...Object(headers) },
      body: JSON.stringify(call),
    }));
}

/** Waits for the end of the job that an answer names, if it names one. */
async function finished(
  url: string,
  answer: Promise<WayAnswer>,
  headers: HeadersInit,
): Promise<WayAnswer> {
  const started = await answer;
  const [, id] = /"id\\?":\\?"([0-9a-f-]{36})/.exec(started.text) ?? [];
  if (id === undefined) return started;
  // The stream of its events ends with the job.
  await (await fetch(`${url}/api/jobs/${id}/events`, { headers })).text();
  return started;
}

async function answerOf(sent: Promise<Response>): Promise<WayAnswer> {
  const response = await sent;
  const challenge = response.headers.get("www-authenticate");
  return { status: response.status, challenge, text: await response.text() };
}
