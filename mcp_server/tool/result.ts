import { ToolError } from "../shared/error.ts";
import { fitsJson, isJsonObject, type JsonObject, type JsonValue } from "../shared/json.ts";
import type { Issue } from "./schema.ts";

/** Hints that every kind of content may carry (MCP specification, "Annotations"). */
export interface ContentAnnotations {
  /** For whom the content is. */
  audience?: ("user" | "assistant")[];
  /** From 0, may be left out, to 1, required. */
  priority?: number;
  /** When the content last changed, ISO 8601. */
  lastModified?: string;
}

/** The text, or the base64 bytes, of an embedded resource. */
export type EmbeddedContents =
  | { uri: string; mimeType?: string; text: string }
  | { uri: string; mimeType?: string; blob: string };

/** One block of a tool's answer, as the MCP specification's `ContentBlock`. */
export type Content =
  & { annotations?: ContentAnnotations }
  & (
    | { type: "text"; text: string }
    | { type: "image" | "audio"; data: string; mimeType: string }
    | { type: "resource_link"; uri: string; name: string; description?: string; mimeType?: string }
    | { type: "resource"; resource: EmbeddedContents }
  );

/** What a tool returns, as the MCP specification's `CallToolResult`. */
export interface ToolResult {
  /** What the model reads. */
  content: Content[];
  /** The same data for programs; the HTTP API responds with this object; see {@linkcode outputOf}. */
  structuredContent?: JsonObject;
  /** `true` if the text describes a failure. */
  isError?: boolean;
  /** Data for programs that is not part of the answer. */
  _meta?: JsonObject;
}

/**
 * Creates a tool result from one value: `structuredContent` for clients that read data, and the
 * same data as JSON text for those that read only text.
 *
 * @example
 * ```ts
 * import { buildResponse } from "@trestle/mcp-server/toolkit";
 *
 * const result = buildResponse({ lines: 3 });
 * console.log(result.structuredContent); // { lines: 3 }
 * console.log(result.content); // [ { type: "text", text: '{"lines":3}' } ]
 * ```
 */
export function buildResponse(value: object): ToolResult {
  const text = JSON.stringify(value);
  return { content: [{ type: "text", text }], structuredContent: { ...value } };
}

/** Joins the text blocks of a result, which contain the details of a failure. */
export function textOf(result: ToolResult): string {
  return result.content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n");
}

/** Transforms every text of a result, such as to redact secrets. */
export function redactTexts(result: ToolResult, redact: (text: string) => string): ToolResult {
  const content = result.content.map((block) =>
    block.type === "text" ? { ...block, text: redact(block.text) } : block
  );
  return { ...result, content };
}

/** A step of a long call, as the MCP specification's progress notification. */
export interface ProgressUpdate {
  /** The progress so far; it must increase. @default {one more than before} */
  readonly progress?: number;
  /** The progress at the end of the call, if known. */
  readonly total?: number;
  /** What the call is doing, for people. */
  readonly message?: string;
}

/** A message to the client about a call. */
export interface CallNotification {
  /** Method of the notification. */
  readonly method: string;
  /** Its parameters. */
  readonly params?: JsonObject;
}

/** Why a call was not carried out, or not completed. */
export type RefusalCode =
  | "UNKNOWN_TOOL"
  | "INVALID_ARGUMENTS"
  | "NOT_ALLOWED"
  | "NEEDS_APPROVAL"
  | "BUSY"
  | "CANCELLED"
  | "SHUTTING_DOWN"
  | "TOOL_FAILED"
  | "TOOL_CRASHED"
  | "JOB_LOST";

/** A refusal as a value; each transport expresses it in its own protocol. */
export interface Refusal {
  /** The kind of refusal. */
  readonly kind: RefusalCode;
  /** Stable name of the failure: the kind, or the tool's own code if it set one. */
  readonly code: string;
  /** What was wrong, with which value, and what to do; free of the server's secrets. */
  readonly message: string;
  /** What is wrong with each argument. */
  readonly issues?: readonly Issue[];
  /** How many more arguments, or parts of them, are wrong. */
  readonly moreIssues?: number;
  /** When to try again, if the server is busy. */
  readonly retryAfterSeconds?: number;
  /** The error that MCP clients get, if the tool threw a `JsonRpcError`. */
  readonly rpcError?: { readonly code: number; readonly data?: JsonValue };
}

/**
 * The output of a call, as the HTTP API sends it: its data, with the images and sounds of its content
 * under `content`, unless that is a key of the data; without data, all of its content.
 */
export function outputOf({ structuredContent: data, content = [] }: ToolResult):
  | JsonObject
  | { readonly content: unknown } {
  if (data === undefined) return { content };
  const media = content.filter(({ type }) => type === "image" || type === "audio");
  return media.length === 0 || "content" in data ? data : { ...data, content: media };
}

/** The outcome of a call. */
export type CallOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | {
    readonly ok: false;
    readonly refusal: Refusal;
    /** The tool's own result, if it reported its failure in one. */
    readonly result?: ToolResult;
  };

/** Adds a link to a result, which clients may follow by `resources/read`. */
export function withLink(result: ToolResult, link: { uri: string; name: string }): ToolResult {
  return { ...result, content: [...result.content, { type: "resource_link", ...link }] };
}

/** A result without links, for clients of revisions that don't know them. */
export function withoutLinks(result: ToolResult): ToolResult {
  const content = result.content.filter(({ type }) => type !== "resource_link");
  return content.length === result.content.length ? result : { ...result, content };
}

/** Throws if a tool returned something that is not a result; a fault of the tool. */
export function ensureResult(tool: string, result: ToolResult): ToolResult {
  if (isJsonObject(result) && (result.content === undefined || Array.isArray(result.content))) {
    return result;
  }
  throw new TypeError(`Cannot answer for "${tool}": it returned no result, use buildResponse()`);
}

/**
 * How much longer a result's text may be, because it repeats the output with all quotes escaped.
 */
const TEXT_FACTOR = 3;

/**
 * Throws a `ToolError` if a result is too large to return: as JSON text it takes more than `most`
 * characters, or its content takes three times as many in addition to a structured output. Throws
 * another error if it is not JSON because of a `bigint` or of an object that contains itself.
 */
export function ensureSize(
  tool: string,
  { content, structuredContent, _meta }: ToolResult,
  most: number,
): void {
  const mostContent = structuredContent === undefined ? most : TEXT_FACTOR * most;
  const fits = fitsJson(structuredContent, most) && fitsJson(content, mostContent) &&
    fitsJson(_meta, most);
  if (fits) return;
  throw new ToolError(
    `Cannot answer for "${tool}": its result takes more than ${most} characters as JSON; request less`,
    { code: "RESULT_TOO_LARGE" },
  );
}

/** Whether data, and texts, take at most so many characters; the text of data is as long as that. */
export function isFitting(
  { structuredContent: data, content = [] }: ToolResult,
  most: number,
): boolean {
  if (most === Infinity) return true;
  const lengths = content.map((block) => block.type === "text" ? block.text.length : 0);
  const length = lengths.reduce((sum, each) => sum + each, 0);
  return data === undefined
    ? length <= most && fitsJson(content, 2 * most)
    : length <= 2 * most && fitsJson(data, most);
}

/** The contents of a resource: text, or base64 bytes. */
export type ResourceContents =
  | { readonly mimeType?: string; readonly text: string }
  | { readonly mimeType?: string; readonly blob: string };

/**
 * What a tool reads as a resource (MCP specification, "Resources"): reading a URI is a call of the tool
 * with the variables of the URI as arguments, so that the rights, the limits and the audit of the tool
 * hold for it.
 */
export interface ResourceConfig {
  /** Its name for people. */
  readonly name: string;
  /**
   * Template of its URIs (RFC 6570): `{name}` is one segment of the path, `{+name}` its rest, and
   * `{?first,second}` is the query, all of which may be missing.
   */
  readonly template: string;
  /** The contents in the answer to a call; what else the answer has becomes metadata. */
  readonly contents: (result: ToolResult, args: JsonObject) => ResourceContents;
}

/** A resource, and the tool that reads it. */
export interface ToolResource extends Omit<ResourceConfig, "template"> {
  /** Name of the tool. */
  readonly tool: string;
  /** Its parsed template. */
  readonly template: UriTemplate;
  /** Schema of the tool's arguments. */
  readonly inputSchema: JsonObject;
}

const EXPRESSION = /\{([+?]?)([\w,]+)\}/g;
/** URIs that are longer lead nowhere. */
const MOST_URI = 8_192;

/** A URI template, of the part of RFC 6570 that {@linkcode ResourceConfig} names. */
export class UriTemplate {
  /** As it was written. */
  readonly text: string;
  readonly #names: readonly string[];
  readonly #query: ReadonlySet<string>;
  readonly #pattern: RegExp;

  /** Parses a template; throws a `TypeError` if it has anything else in braces. */
  constructor(text: string) {
    const expressions = [...text.matchAll(EXPRESSION)];
    const [path = ""] = text.split("{?");
    if (/[{}?#]/.test(text.replaceAll(EXPRESSION, ""))) {
      throw new TypeError(
        `Cannot use the URI template "${text}": it has other expressions than known`,
      );
    }
    this.text = text;
    this.#names = expressions.filter(([, kind]) => kind !== "?").map(([, , name = ""]) => name);
    const query = expressions.filter(([, kind]) => kind === "?");
    this.#query = new Set(query.flatMap(([, , names = ""]) => names.split(",")));
    const parts = path.split(/(\{\+?\w+\})/).map((part) =>
      part.startsWith("{+") ? "([^?#]+)" : part.startsWith("{") ? "([^/?#]+)" : RegExp.escape(part)
    );
    this.#pattern = new RegExp(`^${parts.join("")}(?:\\?([^#]*))?$`);
  }

  /** The variables of a URI, or `undefined` if it is none of the template. */
  match(uri: string): Record<string, string> | undefined {
    if (uri.length > MOST_URI) return undefined;
    const [, ...values] = this.#pattern.exec(uri) ?? [];
    if (values.length === 0) return undefined;
    const query = (values[this.#names.length] ?? "").split("&").filter((part) => part !== "");
    const pairs = query.map((part) => part.split(/=(.*)/s).slice(0, 2));
    if (pairs.some(([name = ""]) => !this.#query.has(name))) return undefined;
    try {
      return Object.fromEntries([
        ...this.#names.map((name, at) => [name, decodeURIComponent(values[at] ?? "")]),
        ...pairs.map(([name = "", value = ""]) => [name, decodeURIComponent(value)]),
      ]);
    } catch {
      return undefined;
    }
  }

  /** The URI without a query in which the variables have these values. */
  expand(values: Readonly<Record<string, string>>): string {
    return this.text.replaceAll(EXPRESSION, (_, kind: string, name: string) => {
      if (kind === "?") return "";
      const { [name]: value = "" } = values;
      return kind === "+"
        ? value.split("/").map(encodeURIComponent).join("/")
        : encodeURIComponent(value);
    });
  }
}

const INTEGER = /^-?\d{1,15}$/;

/** The arguments of a tool in the variables of a URI; what fits no type, the tool refuses. */
export function toArguments(
  variables: Readonly<Record<string, string>>,
  { properties }: JsonObject,
): JsonObject {
  const schemas = isJsonObject(properties) ? properties : {};
  return Object.fromEntries(
    Object.entries(variables).map(([name, text]) => {
      const { [name]: schema } = schemas;
      const isInteger = isJsonObject(schema) && schema.type === "integer" && INTEGER.test(text);
      return [name, isInteger ? Number(text) : text];
    }),
  );
}
