import { dirname } from "node:path/posix";
import { messageOf } from "../shared/error.ts";
import type { CgroupFiles } from "./cgroup_files.ts";

/** What an error says before it says what is missing. */
const PREFIX = "Cannot contain commands in control groups: ";

/** The error of a server that can't use control groups. */
export function noGroups(reason: string, cause?: unknown): Error {
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

/** What the kernel can limit for a group. */
export type Controller = "memory" | "pids" | "cpu";

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
export async function enableControllers(
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
