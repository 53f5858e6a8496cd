import type { JsonObject } from "./json.ts";

/** Hints that every kind of content may carry (MCP specification, "Annotations"). */
export interface ContentAnnotations {
  /** For whom the content is. */
  audience?: ("user" | "assistant")[];
  /** From 0, may be left out, to 1, required. */
  priority?: number;
  /** When the content last changed, ISO 8601. */
  lastModified?: string;
}

/** The text, or the base64 bytes, of a resource that stands inside a result. */
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

/** What a tool answers, as the MCP specification's `CallToolResult`. */
export interface ToolResult {
  /** What a model reads. */
  content: Content[];
  /** The same data for programs; the HTTP API answers exactly this object. */
  structuredContent?: JsonObject;
  /** `true` where the text tells of a failure. */
  isError?: boolean;
  /** Data for programs that is no part of the answer. */
  _meta?: JsonObject;
}

/**
 * Makes a tool result of one value: `structuredContent` for clients that read data, and the same
 * data as JSON text for those that read text only.
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

/** Joins the text blocks of a result; the detail of a failure stands there. */
export function textOf(result: ToolResult): string {
  return result.content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n");
}

/** Changes every text of a result, such as to take secrets out of it. */
export function redactTexts(result: ToolResult, redact: (text: string) => string): ToolResult {
  const content = result.content.map((block) =>
    block.type === "text" ? { ...block, text: redact(block.text) } : block
  );
  return { ...result, content };
}
