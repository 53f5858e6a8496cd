/**
 * What an error says about a field, without the advice that a stub makes needless.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { reasonOf } from "./reason.ts";
 *
 * const message = "Could not find a default resolver for wave. Please supply a resolver for this " +
 *   "mutation. It takes no arguments. Write resolvers: { ... }";
 * strictEqual(reasonOf({ message }), "wave takes no arguments");
 * ```
 */
export function reasonOf({ message }: { readonly message: string }): string {
  return message
    .replace(/^Could not find a default resolver for (\w+)\. .*? mutation\. It /s, "$1 ")
    .replace(/\. (?:Write|Name it after) .*$/s, "");
}
