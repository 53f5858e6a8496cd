import type { Caller, Rights } from "../access/caller.ts";

/** A caller `ci` that may use every tool, and for the rest only what a test names. */
export function boundedCaller(rights: Partial<Rights>): Caller & { readonly rights: Rights } {
  const nothing = { hosts: [], databases: {}, paths: [], admin: false };
  return { name: "ci", rights: { tools: ["*"], ...nothing, ...rights } };
}
