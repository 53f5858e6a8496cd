import { dirname } from "node:path/posix";
import type { CommandLimits, ContainmentMode, ContainmentState } from "../shared/limits.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import {
  type CgroupFiles,
  CommandGroup,
  CommandGroups,
  type Controller,
  type GroupLimit,
  openCgroupFiles,
  removeGroups,
} from "./command_groups.ts";
import { nameServer } from "./end_processes.ts";

/** What containment is opened with. */
interface ContainmentOptions {
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
  if (server === undefined) throw noGroups("/proc does not show this process");
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

/** What an error says before it says what is missing. */
const PREFIX = "Cannot contain commands in control groups: ";

/** The error of a server that can't use control groups. */
function noGroups(reason: string, cause?: unknown): Error {
  return new Error(`${PREFIX}${reason}`, { cause });
}

/** What is missing, of such an error or another one. */
export function reasonOf(error: unknown): string {
  return messageOf(error).replace(PREFIX, "");
}

/**
 * The folder of this process's cgroup v2, from its `/proc/self/cgroup` and `/proc/self/mountinfo`
 * (cgroups(7), proc_pid_mountinfo(5)); v2 may be mounted beside v1. Throws an error that says what
 * is missing.
 */
export function toOwnGroup(cgroup: string, mountinfo: string): string {
  const path = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  const mounts = mountinfo.split("\n").map(parseMount).filter((mount) => mount !== undefined);
  if (path === undefined || mounts.length === 0) throw noGroups("cgroup v2 is not mounted");
  for (const { root, folder } of mounts) {
    if (root !== "/" && path !== root && !path.startsWith(`${root}/`)) continue;
    const below = root === "/" ? path : path.slice(root.length);
    const own = below === "/" ? folder : `${folder}${below}`;
    if (/\s/.test(own)) throw noGroups(`the path "${own}" of its group has a space`);
    if (!below.split("/").includes("..")) return own;
  }
  throw noGroups(`its cgroup "${path}" is outside of what is mounted here`);
}

function parseMount(line: string): { root: string; folder: string } | undefined {
  const [fields = "", source = ""] = line.split(" - ");
  if (!source.startsWith("cgroup2 ")) return undefined;
  const [root, folder] = fields.split(" ").slice(3, 5).map(unescapeMount);
  return root === undefined || folder === undefined ? undefined : { root, folder };
}

/** The kernel writes spaces, tabs, newlines and backslashes as three octal digits. */
function unescapeMount(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8)));
}

/** The settings that need controllers. */
const SETTINGS: Readonly<Record<Controller, string>> = {
  memory: "MCP_COMMAND_MEMORY_BYTES",
  pids: "MCP_COMMAND_PIDS",
  cpu: "MCP_COMMAND_CPU",
};

/**
 * The group below which those of commands can be made, with the given controllers enabled for them:
 * the server's own or, where systemd has put the server into a group of its own
 * (`DelegateSubgroup=`), the one above. A group other than the root may not contain processes if it
 * enables controllers, so the server moves itself down where that makes it possible. Rejects with an
 * error that says what is missing.
 */
export async function findBase(
  files: CgroupFiles,
  own: string,
  controllers: readonly Controller[],
): Promise<string> {
  if (controllers.length === 0) return own;
  const base = await firstWith(controllers, [own, dirname(own)], files);
  if (base === undefined) {
    const has = (await files.read(`${own}/cgroup.controllers`)).trim();
    const lacks = controllers.filter((name) => !has.split(" ").includes(name));
    throw noGroups(
      `its group "${own}" has ${has === "" ? "no controllers" : `the controllers "${has}"`}, and ` +
        `lacks ${lacks.map((name) => `"${name}" for ${SETTINGS[name]}`).join(", ")}; ` +
        "systemd grants them with Delegate=yes",
    );
  }
  await vacate(files, base);
  await enableControllers(files, base, controllers);
  return base;
}

/** Enables controllers for the groups in a group. */
async function enableControllers(
  files: CgroupFiles,
  group: string,
  controllers: readonly Controller[],
): Promise<void> {
  const file = `${group}/cgroup.subtree_control`;
  const enabled = (await files.read(file)).trim().split(" ");
  const missing = controllers.filter((name) => !enabled.includes(name));
  if (missing.length > 0) await files.write(file, missing.map((name) => `+${name}`).join(" "));
}

async function firstWith(
  controllers: readonly Controller[],
  groups: readonly string[],
  files: CgroupFiles,
): Promise<string | undefined> {
  for (const group of groups) {
    const has = (await files.read(`${group}/cgroup.controllers`)).trim().split(" ");
    if (controllers.every((name) => has.includes(name))) return group;
  }
  return undefined;
}

/** Where the server is when it had to leave the group that enables controllers. */
const SERVERS = "trestle-servers";

/**
 * Moves the server out of a group other than the root: with processes in it, the kernel either
 * enables no controllers for the groups in it, or lets no process join these.
 */
async function vacate(files: CgroupFiles, base: string): Promise<void> {
  const isRoot = await files.read(`${base}/cgroup.type`) === "";
  const hasProcesses = async () => await files.read(`${base}/cgroup.procs`) !== "";
  if (isRoot || !await hasProcesses()) return;
  await files.make(base, [SERVERS]);
  await files.moveServer(`${base}/${SERVERS}`);
  if (!await hasProcesses()) return;
  throw noGroups(
    `other processes are in "${base}", so that its controllers can't be enabled; start the ` +
      "server as a service with Delegate=yes, or with systemd-run --scope -p Delegate=yes",
  );
}

/** The period of `cpu.max`, in microseconds. */
const CPU_PERIOD = 100_000;

/** The files that limit a command (the kernel's "Control Group v2"). */
export function toGroupLimits({ memoryBytes, pids, cpu }: CommandLimits): GroupLimit[] {
  const limits: GroupLimit[] = [];
  if (memoryBytes !== undefined) {
    limits.push(
      { controller: "memory", file: "memory.max", value: String(memoryBytes) },
      // The command ends as a whole, not only its largest process.
      { controller: "memory", file: "memory.oom.group", value: "1" },
      { controller: "memory", file: "memory.swap.max", value: "0", optional: true },
    );
  }
  if (pids !== undefined) limits.push({ controller: "pids", file: "pids.max", value: `${pids}` });
  if (cpu !== undefined) {
    const value = `${Math.round(cpu * CPU_PERIOD)} ${CPU_PERIOD}`;
    limits.push({ controller: "cpu", file: "cpu.max", value });
  }
  return limits;
}
