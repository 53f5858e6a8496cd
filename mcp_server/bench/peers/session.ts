import { Client } from "@modelcontextprotocol/client";
import { CountingTransport, type Program } from "./counting_transport.ts";

/** A call of one tool. */
export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a client gets for a call. */
export interface Answer {
  /** Whether the tool or the protocol reported an error, or nothing came in time. */
  readonly isError: boolean;
  /** Its text, or that of the error. */
  readonly text: string;
  /** Of all messages that arrived during the call. */
  readonly bytes: number;
  /** Bytes of the messages that were sent for it. */
  readonly sent: number;
  /** Characters of the call and of its content, as JSON: what a model writes and reads. */
  readonly characters: number;
  readonly ms: number;
}

/** What a server says about itself. */
export interface Listed {
  readonly bytes: number;
  readonly tools: Awaited<ReturnType<Client["listTools"]>>["tools"];
  /** From the start of the process to the answer, in milliseconds. */
  readonly startMs: number;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: () => void;
}

/** A server of its own, and the client of the MCP SDK that is connected to it over stdio. */
export interface Session extends AsyncDisposable {
  readonly pid: number;
  readonly listed: Listed;
  call(call: Call, options?: CallOptions): Promise<Answer>;
  /** Closes the client, which ends the server; resolves with what it took. */
  close(): Promise<"end of input" | "SIGTERM" | "SIGKILL">;
}

/** A revision of MCP, or those before it. */
type Revision = "2026-07-28" | "legacy";

/** Longest time that a call may take, and the start of a server. */
const DEADLINE_MS = 45_000;

let lastStart: Promise<unknown> = Promise.resolve();

/**
 * Starts a server, connects and lists its tools; rejects if it does not speak the revision. One
 * server starts after another, so that none slows the start of the next.
 */
export function startSession(program: Program, revision: Revision = "legacy"): Promise<Session> {
  const session = lastStart.then(() => start(program, revision));
  lastStart = session.catch(() => {});
  return session;
}

async function start(program: Program, revision: Revision): Promise<Session> {
  const startedAt = performance.now();
  const transport = new CountingTransport(program);
  const mode = revision === "legacy" ? revision : { pin: revision };
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });
  const { tools } = await listTools(client, transport);
  const startMs = performance.now() - startedAt;
  const close = async () => {
    await client.close();
    return await transport.ended;
  };
  return {
    pid: transport.pid,
    listed: { tools, startMs, bytes: new TextEncoder().encode(JSON.stringify({ tools })).length },
    call: (call, options) => callTool(client, transport, { call, options }),
    close,
    [Symbol.asyncDispose]: async () => void await close(),
  };
}

async function listTools(client: Client, transport: CountingTransport) {
  try {
    await client.connect(transport, { timeout: DEADLINE_MS });
    return await client.listTools(undefined, { timeout: DEADLINE_MS });
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function callTool(
  client: Client,
  transport: CountingTransport,
  { call, options: { signal, onProgress } = {} }: { call: Call; options?: CallOptions },
): Promise<Answer> {
  const [before, sentBefore, startedAt] = [transport.bytes, transport.sent, performance.now()];
  const options = {
    timeout: DEADLINE_MS,
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onprogress: onProgress }),
  };
  const answer = (isError: boolean, text: string, content: unknown = text): Answer => ({
    isError,
    text,
    bytes: transport.bytes - before,
    sent: transport.sent - sentBefore,
    characters: JSON.stringify(call).length + JSON.stringify(content).length,
    ms: performance.now() - startedAt,
  });
  try {
    const result = await client.callTool({ ...call }, options);
    const texts = result.content.map((part) => part.type === "text" ? part.text : "");
    return answer(result.isError === true, texts.join("\n"), result.content);
  } catch (error) {
    return answer(true, error instanceof Error ? error.message : String(error));
  }
}
