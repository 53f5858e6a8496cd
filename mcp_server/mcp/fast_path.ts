import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { type Pace, textResponse, UNBUFFERED } from "../http/body.ts";
import { firstOf } from "../shared/concurrency.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { placementOfMeta } from "../tool/job.ts";
import type { ToolService } from "../tool/service.ts";
import type { CallOutcome } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { askOf, CallReports, HeldCall } from "./held_call.ts";
import { CallClient, type McpCaller, toCallOptions, withKnownBlocks } from "./mcp_caller.ts";
import { knowsTasks } from "./tasks.ts";

/** How long a call may take before the SDK opens a stream for it. */
const QUICK_MS = 50;

/**
 * The fast path of `tools/call` over HTTP. The SDK makes a server, a transport and streams for each
 * request, and answers a third as many calls in a second; a plain call that ends soon, with texts and
 * data, is answered without them, byte for byte as the SDK answers. Whatever else a call turns out to
 * be, the SDK answers it once it has ended, asks or becomes a task; see `ToolCalls`.
 */
export class FastPath {
  readonly #service: ToolService;
  readonly #serverInfo: object;
  readonly #requests = new PlainRequests();
  readonly #fits = new WeakMap<ToolDefinition, boolean>();

  /** What the server says of itself is in each answer since 2026-07-28. */
  constructor(service: ToolService, serverInfo: object) {
    this.#service = service;
    this.#serverInfo = serverInfo;
  }

  /**
   * Begins the call of a request. Resolves with its answer, or with the running call if the SDK has to
   * answer, or with `undefined` if the SDK has to see the request first.
   */
  async begin(
    request: Request,
    body: unknown,
    { from, pace }: { readonly from: Omit<McpCaller, "era">; readonly pace: Pace },
  ): Promise<Response | HeldCall | undefined> {
    const call = this.#requests.recognize(request.headers, body);
    const tool = call && await this.#service.find(call.name, from.caller);
    if (call === undefined || tool === undefined || !this.#takes(tool)) return undefined;
    const client = new CallClient(request);
    const reports = new CallReports(call, from.backlog);
    const held = this.#carryOut(call, client, { reports, from });
    const outcome = await quickOutcome(held, reports);
    const text = outcome && toEvent(withKnownBlocks(outcome, from.version), call, this.#serverInfo);
    if (text === undefined) {
      client.release();
      return held;
    }
    reports[Symbol.dispose]();
    return textResponse(text, pace, { headers: HEADERS });
  }

  #carryOut(
    call: PlainCall,
    client: CallClient,
    { reports, from }: { readonly reports: CallReports; readonly from: Omit<McpCaller, "era"> },
  ): HeldCall {
    const held = new HeldCall(reports);
    const tracked = from.track?.(call.id, held);
    const outcome = this.#service.call(call.name, call.args, {
      ...toCallOptions(from, call),
      ...held.listeners,
      ...askOf(held, call.capabilities, call.era),
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

/** The outcome of a call that ends soon by itself, and reports and asks nothing before. */
async function quickOutcome(
  held: HeldCall,
  reports: CallReports,
): Promise<CallOutcome | undefined> {
  using deadline = firstOf({ timeoutMs: QUICK_MS });
  const outcome = await Promise.race([
    held.carrier.outcome,
    reports.begun,
    held.asked,
    deadline.expired.then(() => {}),
  ]);
  return reports.isEmpty && !held.isStopped ? outcome ?? undefined : undefined;
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

/** A result of texts, links and data, with its keys in the order of the SDK; `undefined` for any other. */
function toPlainResult(result: unknown): object | undefined {
  if (!isPlain(result, RESULT_KEYS)) return undefined;
  const { content, structuredContent, isError } = result;
  if (structuredContent !== undefined && !isPlain(structuredContent)) return undefined;
  if (isError !== undefined && typeof isError !== "boolean") return undefined;
  if (!Array.isArray(content)) return undefined;
  const blocks = content.map(toPlainBlock);
  if (blocks.includes(undefined)) return undefined;
  return { content: blocks, structuredContent, isError };
}

/** A text or a link with its keys in the order of the SDK; `undefined` for any other. */
function toPlainBlock(block: unknown): object | undefined {
  if (!isPlain(block)) return undefined;
  const { type, text, uri, name, ...rest } = block;
  if (Object.keys(rest).length > 0) return undefined;
  if (type === "text" && typeof text === "string" && uri === undefined && name === undefined) {
    return { type, text };
  }
  const isLink = typeof uri === "string" && typeof name === "string" && text === undefined;
  return type === "resource_link" && isLink ? { name, uri, type } : undefined;
}

/** A `tools/call` that asks for nothing but a tool and its arguments. */
interface PlainCall {
  readonly era: "legacy" | "modern";
  readonly id: string | number;
  readonly name: string;
  readonly args: JsonObject;
  /** Metadata without what the revision reserves; absent if there is none. */
  readonly _meta?: JsonObject | undefined;
  /** What a request of 2026-07-28 says of itself. */
  readonly envelope?: JsonObject | undefined;
  readonly progressToken?: string | number | undefined;
  /** What the client can do, as far as this request says. */
  readonly capabilities?: unknown;
}

const MODERN = "2026-07-28";
/** Begins the keys of metadata that MCP reserves. */
const RESERVED = "io.modelcontextprotocol/";
/** What a request of 2026-07-28 says of itself and its client. */
const ENVELOPE_KEYS: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
]);
const MESSAGE_KEYS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const PARAM_KEYS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
const NO_META: JsonObject = Object.freeze({});
/** Names that a header carries as they are. */
const PLAIN_NAME = /^[\w.-]+$/;
/** Envelopes that are remembered, and the longest of them as JSON text. */
const MOST_ENVELOPES = 100;
const MOST_ENVELOPE_CHARS = 4_096;

/** Recognizes the requests that need nothing of the SDK but the knowledge that they are valid. */
class PlainRequests {
  /** What the SDK has accepted; clients repeat it with every request. */
  readonly #accepted = new Set<string>();

  /** The plain call that a request is; `undefined` if it is anything else, also if it is wrong. */
  recognize(headers: Headers, body: unknown): PlainCall | undefined {
    if (!isPlain(body, MESSAGE_KEYS)) return undefined;
    const { jsonrpc, id, method, params } = body;
    if (jsonrpc !== "2.0" || method !== "tools/call" || !isToken(id)) return undefined;
    if (!isPlain(params, PARAM_KEYS)) return undefined;
    const { name, arguments: args = {}, _meta: meta = NO_META } = params;
    if (typeof name !== "string" || !isPlain(args) || !isPlain(meta)) return undefined;
    if (meta !== NO_META && placementOfMeta(meta) !== undefined) return undefined;
    const { progressToken } = meta;
    if (progressToken !== undefined && !isToken(progressToken)) return undefined;
    const { own, envelope } = divide(meta);
    const names = Object.keys(own);
    if (names.some((key) => key.startsWith(RESERVED))) return undefined;
    const call = { id, name, args, progressToken };
    if (envelope === undefined) {
      const given = params._meta === undefined ? undefined : own;
      return this.#isLegacy(headers) ? { era: "legacy", ...call, _meta: given } : undefined;
    }
    const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = envelope;
    if (!this.#isModern(headers, name, envelope) || knowsTasks(capabilities)) return undefined;
    const rest = names.length === 0 ? undefined : own;
    return { era: "modern", ...call, _meta: rest, envelope, capabilities };
  }

  #isLegacy(headers: Headers): boolean {
    const version = headers.get("mcp-protocol-version");
    const accepted = headers.get("accept");
    return (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) &&
      accepted !== null && accepted.includes("application/json") &&
      accepted.includes("text/event-stream");
  }

  #isModern(headers: Headers, name: string, envelope: JsonObject): boolean {
    return envelope[PROTOCOL_VERSION_META_KEY] === MODERN && PLAIN_NAME.test(name) &&
      headers.get("mcp-protocol-version") === MODERN &&
      headers.get("mcp-method") === "tools/call" &&
      headers.get("mcp-name") === name && this.#isAccepted(envelope);
  }

  /** Whether the SDK accepts an envelope, which is the costly part of its checks. */
  #isAccepted(envelope: JsonObject): boolean {
    const text = JSON.stringify(envelope);
    if (this.#accepted.has(text)) return true;
    const params = { name: "any", _meta: envelope };
    const { kind } = classifyInboundRequest({
      httpMethod: "POST",
      protocolVersionHeader: MODERN,
      mcpMethodHeader: "tools/call",
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    });
    if (kind !== "modern") return false;
    if (this.#accepted.size >= MOST_ENVELOPES) this.#accepted.clear();
    if (text.length <= MOST_ENVELOPE_CHARS) this.#accepted.add(text);
    return true;
  }
}

/** Whether a value is an object literal that has only these keys, or any, but not `__proto__`. */
function isPlain(value: unknown, keys?: ReadonlySet<string>): value is JsonObject {
  if (!isJsonObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return false;
  if (Object.hasOwn(value, "__proto__")) return false;
  return keys === undefined || Object.keys(value).every((key) => keys.has(key));
}

/** Whether a value is the id of a request, or a progress token. */
function isToken(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Divides metadata into the client's own and the envelope, if there is one. */
function divide(meta: JsonObject): { own: JsonObject; envelope?: JsonObject } {
  const own: JsonObject = {};
  let envelope: JsonObject | undefined;
  for (const [key, value] of Object.entries(meta)) {
    if (ENVELOPE_KEYS.has(key)) (envelope ??= {})[key] = value;
    else own[key] = value;
  }
  return envelope === undefined ? { own } : { own, envelope };
}

/** Whether clients repeat arguments of a tool with this schema in headers. */
export function mirrorsArguments(schema: unknown): boolean {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return false;
  return Object.values(schema.properties).some((property) =>
    isJsonObject(property) && ("x-mcp-header" in property || mirrorsArguments(property))
  );
}
