import type { Caller } from "../access/caller.ts";
import { messageOf } from "../shared/error.ts";
import type { ReloadTools } from "../tool/service.ts";
import { rejectOthers } from "./admin_guard.ts";
import type { ScopeGuard } from "../http/scope_guard.ts";
import type { Handler } from "../http/http_server.ts";
import { jsonResponse } from "../http/paced_body.ts";
import { problemResponse } from "../http/problem.ts";

/** What `POST /api/admin/reload` needs. */
export interface ToolReloadParts {
  readonly reloadTools: ReloadTools;
  /** Records who does it; resolves once that is written. */
  readonly recordReload: (caller: Caller, address: string) => Promise<void>;
  readonly guard: ScopeGuard;
}

/** Creates the handler that loads changed tools and answers with what became of each file. */
export function createToolReload({ reloadTools, recordReload, guard }: ToolReloadParts): Handler {
  return async (_request, sender) => {
    const rejection = rejectOthers(sender, "reload tools", guard);
    if (rejection !== undefined) return rejection;
    await recordReload(sender.caller, sender.remoteAddr.hostname);
    try {
      return jsonResponse({ tools: await reloadTools() }, sender.exchange);
    } catch (error) {
      const detail = `Cannot reload the tools: ${messageOf(error)}`;
      return problemResponse({ status: 500, code: "TOOLS_UNREADABLE", detail });
    }
  };
}
