import type { CommandLimits, ContainmentMode, ContainmentState } from "../shared/limits.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { CgroupFiles } from "./cgroup_files.ts";
import { openCgroupFiles } from "./open_cgroup_files.ts";
import { CommandGroup, removeGroups } from "./command_group.ts";
import { CommandGroups } from "./command_groups.ts";
import { toGroupLimits } from "./group_limits.ts";
import { enableControllers, findBase, noGroups, reasonOf, toOwnGroup } from "./own_group.ts";
import { nameServer } from "./server_identity.ts";

/** What containment is opened with. */
export interface ContainmentOptions {
  readonly mode: ContainmentMode;
  readonly limits: CommandLimits;
  /** The search path for the programs that it needs. */
  readonly path: string;
  readonly log: Log;
}

/** How commands are contained; without groups, only a variable identifies their processes. */
export interface Containment extends AsyncDisposable {
  readonly groups?: CommandGroups;
  readonly state: ContainmentState;
}

/** The group that has those of all servers in it. */
const ROOT = "trestle";

/**
 * Finds out whether this server can run commands in control groups of their own (cgroup v2), by
 * making one and joining it. Rejects if it can't and the mode or the limits require it; the error
 * says what is missing.
 */
export async function openContainment(options: ContainmentOptions): Promise<Containment> {
  const { mode, limits, path, log } = options;
  if (mode === "off") return withoutGroups("MCP_CONTAINMENT is off");
  const files = openCgroupFiles(path);
  try {
    return await openGroups(files, options);
  } catch (error) {
    await files[Symbol.asyncDispose]();
    const reason = reasonOf(error);
    if (mode === "required" || Object.keys(limits).length > 0) throw noGroups(reason, error);
    log.info("commands run without control groups", { reason });
    return withoutGroups(reason);
  }
}

function withoutGroups(reason: string): Containment {
  return {
    state: { by: "variable", reason },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function openGroups(files: CgroupFiles, options: ContainmentOptions): Promise<Containment> {
  const { mode, limits, log } = options;
  if (Deno.build.os !== "linux") throw noGroups("only Linux has them");
  const groupLimits = toGroupLimits(limits);
  const controllers = [...new Set(groupLimits.map(({ controller }) => controller))];
  const own = toOwnGroup(
    await files.read("/proc/self/cgroup"),
    await files.read("/proc/self/mountinfo"),
  );
  if (await files.read(`${own}/cgroup.procs`) === "") throw noGroups(`"${own}" is hidden here`);
  const base = await findBase(files, own, controllers);
  const server = await nameServer(files, Deno.pid);
  const root = `${base}/${ROOT}`;
  await makeRoot(files, root, server);
  try {
    for (const group of [root, `${root}/${server}`]) {
      await enableControllers(files, group, controllers);
    }
    await tryToJoin(files, `${root}/${server}`);
  } catch (error) {
    await files.remove(root, [server]);
    throw error;
  }
  const groups = new CommandGroups({
    files,
    root,
    server,
    limits: groupLimits,
    required: mode === "required" || controllers.length > 0,
    log,
  });
  return {
    groups,
    state: { by: "cgroup", folder: root, ...(controllers.length > 0 ? { limits } : {}) },
    [Symbol.asyncDispose]: async () => {
      await groups.close();
      await files[Symbol.asyncDispose]();
    },
  };
}

async function makeRoot(files: CgroupFiles, root: string, server: string): Promise<void> {
  try {
    await files.make(root, [server]);
  } catch (cause) {
    throw noGroups(
      `the server may not make groups in "${root}" (${
        messageOf(cause)
      }); it has to be root, or a ` +
        "service with Delegate=yes and without ProtectControlGroups=yes",
      cause,
    );
  }
}

const TEST = "probe";

/** Joins a group as commands do, and ends what is in it. */
async function tryToJoin(files: CgroupFiles, folder: string): Promise<void> {
  await files.make(folder, [TEST]);
  const group = new CommandGroup(files, `${folder}/${TEST}`);
  try {
    await joinOnce(group.procs);
    await group.kill().catch((cause) => {
      throw noGroups("the kernel has no cgroup.kill, which Linux 5.14 brought", cause);
    });
  } finally {
    await removeGroups(files, folder, [TEST]);
  }
}

async function joinOnce(procs: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("/bin/sh", {
    args: ["-c", 'echo 0 >"$1"', "sh", procs],
    clearEnv: true,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return;
  const reason = new TextDecoder().decode(stderr).trim();
  throw noGroups(`a process of the server can't join "${procs}": ${reason}`);
}
