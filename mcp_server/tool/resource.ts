import { isJsonObject, type JsonObject } from "../shared/json.ts";
import type { ToolResult } from "./result.ts";

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
