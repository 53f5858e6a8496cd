import { type Caller, mayUse, type Rights } from "../access/caller.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import { includesScope, scopeOf } from "../access/scope.ts";
import type { Refusal } from "../tool/result.ts";
import type { RegisteredTool, ToolDefinition } from "../tool/tool.ts";
import { scopeMissing, toolNotAllowed, unknownTool } from "./refusals.ts";

/** The tools that each caller may use. */
export class AllowedTools {
  readonly #registry: ToolRegistry;
  /** The list of each caller with rights, as long as the list of all tools is the same. */
  readonly #lists = new WeakMap<Rights, OwnList>();

  /** Takes the tools. */
  constructor(registry: ToolRegistry) {
    this.#registry = registry;
  }

  /** Those of a caller, in a fixed order; the same array until the tools or the rights change. */
  list(caller: Caller): readonly ToolDefinition[] {
    const all = this.#registry.list();
    const { rights } = caller;
    if (rights === undefined) return all;
    const known = this.#lists.get(rights);
    if (known?.all === all) return known.own;
    const own = all.filter(({ name }) => mayUse(caller, name));
    this.#lists.set(rights, { all, own });
    return own;
  }

  /** One tool, or `undefined` if there is none that the caller may use. */
  find(name: string, caller: Caller): ToolDefinition | undefined {
    return mayUse(caller, name) ? this.#registry.get(name)?.definition : undefined;
  }

  /** The tool that a caller calls, or why it can't. */
  admit(name: string, caller: Caller): Admission {
    const tool = this.#registry.get(name);
    if (tool === undefined) return { ok: false, refusal: unknownTool(name, this.list(caller)) };
    const refusal = refusalOf(tool, caller);
    return refusal === undefined ? { ok: true, tool } : { ok: false, refusal };
  }
}

/** Why a caller can't call a tool, or `undefined` if it can. */
export function refusalOf({ definition }: RegisteredTool, caller: Caller): Refusal | undefined {
  const { name } = definition;
  if (!mayUse(caller, name)) return toolNotAllowed(name, caller);
  const scope = scopeOf(definition);
  return includesScope(caller.scopes, scope) ? undefined : scopeMissing(name, scope);
}

/** Whether a call may begin. */
export type Admission =
  | { readonly ok: true; readonly tool: RegisteredTool }
  | { readonly ok: false; readonly refusal: Refusal };

interface OwnList {
  readonly all: readonly ToolDefinition[];
  readonly own: readonly ToolDefinition[];
}
