import { startServer } from "./server_process.ts";
import { startStdioSession } from "./stdio_session.ts";

/** An answer to a JSON-RPC request. */
export interface WireAnswer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** What the server sent before the answer. */
  readonly notifications: readonly Record<string, unknown>[];
}

/** How one request is sent. */
export interface WireOptions {
  /** What the client declares with this request. @default {tasks and elicitation} */
  readonly capabilities?: Record<string, unknown>;
  /** The bearer token, over HTTP. */
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/** Requests of revision 2026-07-28 to a server of its own, as they are on the wire. */
export interface TaskWire extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, or an empty string over stdio. */
  readonly url: string;
  /** Ends the server as `kill -9` does. */
  kill(): Promise<void>;
  request(method: string, params: object, options?: WireOptions): Promise<WireAnswer>;
}

/** How the server is started. */
export interface WireServer {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A program that is started instead of `deno`, over stdio. */
  readonly program?: string;
}

const REVISION = "2026-07-28";

/** What a client declares that knows tasks and can be asked. */
export const TASKS_AND_FORMS = Object.freeze({
  elicitation: {},
  extensions: { "io.modelcontextprotocol/tasks": {} },
});

/** Starts a server over HTTP. */
export async function startHttpWire(options: WireServer): Promise<TaskWire> {
  const server = await startServer(options);
  return {
    url: server.url,
    request: createHttpRequest(server.url),
    kill: async () => void await server.stop("SIGKILL"),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Creates what sends requests to a server that is running. */
export function createHttpRequest(url: string): TaskWire["request"] {
  return async (method, params, wish = {}) => {
    const message = toMessage(1, method, params, wish);
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: toHeaders(method, message.params, wish.token),
      body: JSON.stringify(message),
      ...(wish.signal === undefined ? {} : { signal: wish.signal }),
    });
    const text = await response.text();
    const lines = text.startsWith("{") ? [text] : [...text.matchAll(/^data: (\{.*)$/gm)].map(
      ([, data = ""]) => data,
    );
    return toAnswer(lines.map((line) => JSON.parse(line)));
  };
}

/** Starts a server over stdio; one request is sent at a time. */
export function startStdioWire(options: WireServer): Promise<TaskWire> {
  const session = startStdioSession(options);
  let id = 0;
  const request: TaskWire["request"] = async (method, params, wish = {}) => {
    id++;
    await session.send(toMessage(id, method, params, wish));
    const messages = [];
    for (let line = await session.nextLine(); line !== undefined; line = await session.nextLine()) {
      const message = JSON.parse(line);
      messages.push(message);
      if (message.id === id) break;
    }
    return toAnswer(messages);
  };
  return Promise.resolve({
    url: "",
    request,
    kill: () => Promise.reject(new Error("Cannot kill a server over stdio here")),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  });
}

function toMessage(
  id: number,
  method: string,
  params: object,
  { capabilities = TASKS_AND_FORMS }: WireOptions,
) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const given: Record<string, unknown> = { ...params };
  return {
    jsonrpc: "2.0",
    id,
    method,
    params: { ...given, _meta: { ...Object(given._meta), ..._meta } },
  };
}

function toHeaders(
  method: string,
  params: Record<string, unknown>,
  token: string | undefined,
): Record<string, string> {
  const name = params.taskId ?? params.name;
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": REVISION,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

function toAnswer(messages: readonly Record<string, unknown>[]): WireAnswer {
  const last = messages.at(-1);
  if (last === undefined) throw new Error("Cannot read the answer: the server sent none");
  return { ...last, notifications: messages.slice(0, -1) };
}
