import { type Caller, DEFAULT_CALLER } from "../../access/caller.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { isAllowedName, parseHostName } from "./hosts.ts";
import { SshFiles } from "./ssh_files.ts";
import { useSshService } from "./ssh_service.ts";

/** The hosts that a caller may reach over SSH. */
export type UsableHosts = {
  /** Those that `~/.ssh/config` of the server names by itself, without what it includes. */
  names: string[];
  /** Patterns of those that the caller, or else the server, allows; absent if all are allowed. */
  allowed?: string[];
};

/** Lists hosts; none of them is connected to. */
export type HostLister = (
  call: { readonly caller?: Caller; readonly signal: AbortSignal },
) => Promise<UsableHosts>;

/** How long the config may take to be read. */
const READ_MS = 3_000;
const MOST_BYTES = 1024 * 1024;
/** Name and value of a line (ssh_config(5)). */
const HOST_LINE = /^\s*host(?:\s*=\s*|\s+)(.+)$/i;
const WORD = /"([^"]*)"|(\S+)/g;

/** What tools use once it is called, see `createHostLister()` of `ssh_functions.ts`. */
export function createHostLister(context: Pick<ToolContext, "env" | "onShutdown">): HostLister {
  const { settings } = useSshService(context);
  return async ({ caller = DEFAULT_CALLER, signal }) => {
    using files = new SshFiles({ signal, deadline: performance.now() + READ_MS });
    const { text = "" } = await files.read(`${settings.home}/.ssh/config`, MOST_BYTES);
    const rules = [settings.allowedHosts, caller.rights?.hosts].filter((rule) =>
      rule !== undefined
    );
    const names = namesIn(text).filter((name) => rules.every((rule) => isAllowedName(name, rule)));
    const allowed = rules.findLast((rule) => !rule.includes("*"));
    return { names, ...(allowed === undefined ? {} : { allowed: [...allowed] }) };
  };
}

/** The hosts that a config names, without patterns, each once. */
export function namesIn(config: string): string[] {
  const words = config.split("\n").flatMap((line) => {
    const [, value = ""] = HOST_LINE.exec(line) ?? [];
    return [...value.matchAll(WORD)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  });
  return [...new Set(words)].filter((word) => parseHostName(word) !== undefined);
}
