import { lateModule } from "../shared/concurrency.ts";
import type { ToolContext } from "../tool/tool.ts";
import type { HostLister } from "./ssh/list_hosts.ts";
import type { SshCopier } from "./ssh/ssh_copier.ts";
import type { SshRunner } from "./ssh/ssh_runner.ts";

// A tool that reaches no host needs none of the modules that do, which take longer to load than it.
const running = lateModule<typeof import("./ssh/ssh_runner.ts")>(
  import.meta.resolve("./ssh/ssh_runner.ts"),
);
const copying = lateModule<typeof import("./ssh/ssh_copier.ts")>(
  import.meta.resolve("./ssh/ssh_copier.ts"),
);
const listing = lateModule<typeof import("./ssh/list_hosts.ts")>(
  import.meta.resolve("./ssh/list_hosts.ts"),
);

/**
 * Creates a runner of commands over SSH with the operator's settings. Connections are kept for five
 * minutes and closed when the server stops; nothing of SSH is loaded before the first call.
 */
export function createSshRunner(context: ToolContext): SshRunner {
  const runner = onFirstCall(context, async (own) => (await running()).createSshRunner(own));
  return async (...call) => await (await runner())(...call);
}

/**
 * Creates a copier of files over SFTP, over the connections of `createSshRunner()`. A copy is there
 * whole or not at all, on either side; hosts are worked on at once, and one that fails does not affect
 * the others. Rejects with a `ToolError` if the file to copy to the hosts can't be read, and with a
 * `NotAllowedError` before anything is connected if the caller may not use the local path.
 *
 * @example
 * ```ts ignore
 * const copy = createSshCopier(context);
 * const connections = [{ host: "web" }];
 * await copy({ direction: "up", from: "/srv/app.tar", to: "~/app.tar", connections }, extra);
 * ```
 */
export function createSshCopier(context: ToolContext): SshCopier {
  const copier = onFirstCall(context, async (own) => (await copying()).createSshCopier(own));
  return async (...call) => await (await copier())(...call);
}

/** Creates the lister of a tool. A config that can't be read has no names to offer. */
export function createHostLister(context: Pick<ToolContext, "env" | "onShutdown">): HostLister {
  const lister = onFirstCall(context, async (own) => (await listing()).createHostLister(own));
  return async (...call) => await (await lister())(...call);
}

/** Creates something of a tool's context on its first use; its shutdown hooks run with the tool's. */
function onFirstCall<Context extends Pick<ToolContext, "onShutdown">, Made>(
  context: Context,
  create: (context: Context) => Promise<Made>,
): () => Promise<Made> {
  const hooks: Parameters<ToolContext["onShutdown"]>[0][] = [];
  let making: Promise<Made> | undefined;
  context.onShutdown(async () => {
    await making?.catch(() => {});
    await Promise.all(hooks.map(async (hook) => await hook()));
  });
  return () => making ??= create({ ...context, onShutdown: (hook) => void hooks.push(hook) });
}
