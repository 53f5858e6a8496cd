import type { JsonObject } from "@trestle/mcp-server";

/** The command by which a shell makes the same call; the token stays in a variable. */
export function curlCommand(
  tool: string,
  args: JsonObject,
  origin: string = location.origin,
): string {
  const body = JSON.stringify({ tool, args });
  return [
    `curl -s ${origin}/api`,
    "-H 'Content-Type: application/json'",
    '-H "Authorization: Bearer $MCP_TOKEN"',
    `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join(" \\\n  ");
}
