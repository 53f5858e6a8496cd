import type { ToolIcon } from "../tool/tool.ts";

/**
 * An icon of lines, for the `icons` of a tool: a path of SVG in a square of 24 by 24.
 *
 * @example
 * ```ts
 * import { lineIcon } from "@trestle/mcp-server/toolkit";
 *
 * const [icon] = lineIcon("M4 12h16");
 * console.log(icon?.src.startsWith("data:image/svg+xml,")); // true
 * ```
 */
export function lineIcon(path: string): readonly ToolIcon[] {
  const svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' " +
    `stroke='gray' stroke-width='2'><path d='${path}'/></svg>`;
  const src = `data:image/svg+xml,${encodeURI(svg)}`;
  return [{ src, mimeType: "image/svg+xml", sizes: ["any"] }];
}

const CIRCLE = "M12 3a9 9 0 1 0 .1 0";

/** The icons of the built-in tools, by what they are about. */
export const TOOL_ICONS: Readonly<
  Record<
    | "command"
    | "script"
    | "job"
    | "read"
    | "write"
    | "list"
    | "search"
    | "sql"
    | "ssh"
    | "copy"
    | "info",
    readonly ToolIcon[]
  >
> = Object.freeze({
  command: lineIcon("M4 6l6 6-6 6M12 18h8"),
  script: lineIcon("M8 7l-5 5 5 5M16 7l5 5-5 5M13 5l-2 14"),
  job: lineIcon(`${CIRCLE}M12 7v5l4 2`),
  read: lineIcon("M6 3h8l4 4v14H6zM14 3v4h4"),
  write: lineIcon("M4 20l4-1L19 8l-3-3L5 16z"),
  list: lineIcon("M4 6h16M4 12h16M4 18h16"),
  search: lineIcon("M10 4a6 6 0 1 0 .1 0M15 15l6 6"),
  sql: lineIcon("M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0zM4 6c0 4 16 4 16 0"),
  ssh: lineIcon("M3 5h18v10H3zM8 20h8M12 15v5"),
  copy: lineIcon("M7 4v16M3 8l4-4 4 4M17 4v16M13 16l4 4 4-4"),
  info: lineIcon(`${CIRCLE}M12 11v6M12 7v1`),
});
