import type { JsonObject } from "../shared/json.ts";

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
  /** The same data for programs; the HTTP API responds with exactly this object. */
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

/** The size of one part's keys, and of the line that says how much of its output is left out. */
const KEYS = 256;
/** What each part may take in any case, however much earlier ones took. */
const SHARE = 8 * 1024;

/**
 * Divides the maximum size of a call's answer, as JSON text, among its parts, such as the results
 * of its commands. A part may take what is left, minus a share for each part after it.
 */
export class ResultBudget {
  #left: number;
  #parts: number;
  readonly #share: number;

  /** Takes the size of the whole answer and the number of its parts. */
  constructor(size: number, parts: number) {
    this.#left = size - KEYS * parts;
    this.#parts = parts;
    this.#share = Math.max(0, Math.min(SHARE, Math.floor(this.#left / parts)));
  }

  /** What the outputs of the next part may take, as JSON text. */
  get next(): number {
    return Math.max(0, this.#left - this.#share * (this.#parts - 1));
  }

  /** Counts a finished part. */
  spend(size: number): void {
    this.#left -= size;
    this.#parts--;
  }
}
