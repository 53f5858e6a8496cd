/**
 * What the result of a tool call says: whether its commands and queries succeeded. It imports
 * nothing, so that it also runs in a browser.
 *
 * @example
 * ```ts
 * import { endingOf } from "@trestle/mcp-server/ending";
 *
 * const ran = (exitCode: number) => ({ stdout: "", stderr: "", exitCode, timedOut: false });
 * console.log(endingOf({ results: [ran(0), ran(3)] }));
 * // { outcome: "failed", exitCode: 3, parts: { total: 2, failed: 1 } }
 * ```
 *
 * @module
 */

export { type CallEnding, type EndingKind, endingOf } from "./tool/ending.ts";
export type { JsonObject, JsonValue } from "./shared/json.ts";
