import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { CallOutcome, ToolService } from "../tool/service.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { type Pace, textResponse, UNBUFFERED } from "../http/response_body.ts";
import { mirrorsArguments } from "./header_arguments.ts";
import { CallClient, type McpCaller, toCallOptions } from "./mcp_caller.ts";
import { isPlain, type PlainCall, PlainCalls } from "./plain_calls.ts";
import { HeldCall } from "./tasks/held_call.ts";
import { askOf } from "./tasks/tool_calls.ts";

/** How long a call may take before the SDK opens a stream for it. */
const QUICK_MS = 50;

/** What the fast path needs. */
export interface FastPathParts {
  readonly service: ToolService;
  /** What the server says of itself in each answer since 2026-07-28. */
  readonly serverInfo: object;
}

/** A call that has begun before the SDK gets its request. */
export interface BegunCall {
  /** Goes on in the SDK if there is no answer. */
  readonly held: HeldCall;
  /** The answer of the SDK, byte for byte; `undefined` if the SDK has to answer. */
  readonly answer: (pace: Pace) => Promise<Response | undefined>;
}

/**
 * The fast path of `tools/call` over HTTP. The SDK makes a server, a transport and streams for each
 * request; a plain call that ends soon, with texts and data, is answered without them. Whatever else
 * a call turns out to be goes on in the SDK, to which it is handed over as it runs.
 */
export class FastPath {
  readonly #parts: FastPathParts;
  readonly #calls = new PlainCalls();
  readonly #fits = new WeakMap<ToolDefinition, boolean>();

  /** Takes the tools, and what the server says of itself. */
  constructor(parts: FastPathParts) {
    this.#parts = parts;
  }

  /** Begins the call of a request; `undefined` if the SDK has to see the request first. */
  begin(
    request: Request,
    body: unknown,
    from: Omit<McpCaller, "backlog" | "era">,
  ): BegunCall | undefined {
    const call = this.#calls.recognize(request.headers, body);
    const tool = call && this.#parts.service.find(call.name, from.caller);
    if (call === undefined || tool === undefined || !this.#takes(tool)) return undefined;
    const client = new CallClient(request);
    const held = this.#carryOut(call, client, from);
    return {
      held,
      answer: async (pace) => {
        const outcome = await held.quickOutcome(QUICK_MS);
        const text = outcome && toEvent(outcome, call, this.#parts.serverInfo);
        if (text !== undefined) return textResponse(text, pace, { headers: HEADERS });
        client.release();
        return undefined;
      },
    };
  }

  #carryOut(
    call: PlainCall,
    client: CallClient,
    from: Omit<McpCaller, "backlog" | "era">,
  ): HeldCall {
    const { name, args, era, capabilities, _meta } = call;
    const held = new HeldCall();
    const { onNotification } = held.listeners;
    const tracked = from.track?.(call.id, held);
    const outcome = this.#parts.service.call(name, args, {
      ...toCallOptions(from, call),
      ...(_meta?.progressToken === undefined ? { onNotification } : held.listeners),
      ...askOf(held, capabilities, era),
      client,
    });
    if (tracked !== undefined) outcome.finally(() => tracked[Symbol.dispose]());
    held.carriedBy({ outcome, stop: () => client.stop() });
    return held;
  }

  /** Whether nothing of a tool concerns the SDK when it is called. */
  #takes(tool: ToolDefinition): boolean {
    const known = this.#fits.get(tool);
    if (known !== undefined) return known;
    const { inputSchema, outputSchema, execution } = tool;
    const fits = execution?.taskSupport !== "required" && !mirrorsArguments(inputSchema) &&
      (outputSchema === undefined || outputSchema.type === "object");
    this.#fits.set(tool, fits);
    return fits;
  }
}

/** The headers of the SDK's streams. */
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  [UNBUFFERED.name]: UNBUFFERED.value,
};

/** The event with which the SDK answers; `undefined` if only the SDK knows it. */
function toEvent(
  outcome: CallOutcome,
  { id, era }: PlainCall,
  serverInfo: object,
): string | undefined {
  const plain = outcome.result && toPlainResult(outcome.result);
  if (plain === undefined) return undefined;
  const result = era === "legacy"
    ? plain
    : { ...plain, resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfo } };
  try {
    return `event: message\ndata: ${JSON.stringify({ result, jsonrpc: "2.0", id })}\n\n`;
  } catch {
    return undefined;
  }
}

const RESULT_KEYS: ReadonlySet<string> = new Set(["content", "structuredContent", "isError"]);
const TEXT_KEYS: ReadonlySet<string> = new Set(["type", "text"]);

/** A result of texts and data, with its keys in the order of the SDK; `undefined` for any other. */
function toPlainResult(result: unknown): object | undefined {
  if (!isPlain(result, RESULT_KEYS)) return undefined;
  const { content, structuredContent, isError } = result;
  if (structuredContent !== undefined && !isPlain(structuredContent)) return undefined;
  if (isError !== undefined && typeof isError !== "boolean") return undefined;
  if (!Array.isArray(content)) return undefined;
  const blocks: unknown[] = content;
  if (!blocks.every(isPlainText)) return undefined;
  const texts = blocks.map(({ text }) => ({ type: "text", text }));
  return { content: texts, structuredContent, isError };
}

function isPlainText(block: unknown): block is { readonly text: string } {
  return isPlain(block, TEXT_KEYS) && block.type === "text" && typeof block.text === "string";
}
