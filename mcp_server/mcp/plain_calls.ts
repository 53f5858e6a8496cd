import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { placementOfMeta } from "../tool/fleet.ts";
import { knowsTasks } from "./tasks/client_capabilities.ts";

/** A `tools/call` that asks for nothing but a tool and its arguments. */
export interface PlainCall {
  readonly era: "legacy" | "modern";
  readonly id: string | number;
  readonly name: string;
  readonly args: JsonObject;
  /** Metadata without what the revision reserves; absent if there is none. */
  readonly _meta?: JsonObject;
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
/** Names that a header carries as they are. */
const PLAIN_NAME = /^[\w.-]+$/;
/** Envelopes that are remembered, and the longest of them as JSON text. */
const MOST_ENVELOPES = 100;
const MOST_ENVELOPE_CHARS = 4_096;

/** Recognizes the requests that need nothing of the SDK but the knowledge that they are valid. */
export class PlainCalls {
  /** What the SDK has accepted; clients repeat it with every request. */
  readonly #accepted = new Set<string>();

  /** The plain call that a request is; `undefined` if it is anything else, also if it is wrong. */
  recognize(headers: Headers, body: unknown): PlainCall | undefined {
    if (!isPlain(body, MESSAGE_KEYS)) return undefined;
    const { jsonrpc, id, method, params } = body;
    if (jsonrpc !== "2.0" || method !== "tools/call" || !isToken(id)) return undefined;
    if (!isPlain(params, PARAM_KEYS)) return undefined;
    const { name, arguments: args = {}, _meta: meta } = params;
    if (typeof name !== "string" || !isPlain(args)) return undefined;
    const call = { id, name, args };
    if (meta === undefined) return this.#isLegacy(headers) ? { era: "legacy", ...call } : undefined;
    if (!isPlain(meta) || placementOfMeta(meta) !== undefined) return undefined;
    if (meta.progressToken !== undefined && !isToken(meta.progressToken)) return undefined;
    const { own, envelope } = divide(meta);
    if (Object.keys(own).some((key) => key.startsWith(RESERVED))) return undefined;
    if (envelope === undefined) {
      return this.#isLegacy(headers) ? { era: "legacy", ...call, _meta: own } : undefined;
    }
    const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = envelope;
    if (!this.#isModern(headers, name, envelope) || knowsTasks(capabilities)) return undefined;
    const rest = Object.keys(own).length === 0 ? {} : { _meta: own };
    return { era: "modern", ...call, ...rest, capabilities };
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
export function isPlain(value: unknown, keys?: ReadonlySet<string>): value is JsonObject {
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
