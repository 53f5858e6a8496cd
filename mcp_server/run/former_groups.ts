import { dirname } from "node:path/posix";
import {
  type CgroupFiles,
  CommandGroup,
  type GroupsPlace,
  removeGroups,
} from "./command_groups.ts";
import { endProcesses } from "./end_processes.ts";
import { type LiveProcess, parseStartTime } from "./proc_format.ts";

/** Ends what runs in the groups of a job, in those of any server; resolves with what is left. */
export async function endMarked(
  { files, root }: GroupsPlace,
  mark: string,
): Promise<readonly LiveProcess[]> {
  const servers = await files.folders(root);
  const groups = await groupsIn(files, servers.map((name) => `${root}/${name}`));
  return await endGroups(files, groups.filter(({ name }) => name.startsWith(`${mark}.`)));
}

/**
 * Ends what servers that are gone left in their groups, but for programs that finished commands
 * left running on purpose. Groups of servers that may be alive stay untouched.
 */
export async function endFormer({ files, root, server, log }: GroupsPlace): Promise<void> {
  const gone: string[] = [];
  for (const name of await files.folders(root)) {
    if (name !== server && !await mayLive(files, name)) gone.push(name);
  }
  const groups = await groupsIn(files, gone.map((name) => `${root}/${name}`));
  const areLeft = await Promise.all(groups.map((group) => group.isLeft()));
  const left = await endGroups(files, groups.filter((_, at) => !areLeft[at]));
  for (const name of gone) {
    await removeGroups(files, `${root}/${name}`, await files.folders(`${root}/${name}`));
  }
  await files.remove(root, gone);
  if (left.length > 0) {
    log.error("processes of a former server are left", { left: left.map(({ pid }) => pid) });
  }
}

/** The groups of the commands of some servers, whose folders these are. */
async function groupsIn(
  files: CgroupFiles,
  servers: readonly string[],
): Promise<readonly CommandGroup[]> {
  const found: CommandGroup[] = [];
  for (const server of servers) {
    const names = await files.folders(server);
    found.push(...names.map((name) => new CommandGroup(files, `${server}/${name}`)));
  }
  return found;
}

/**
 * Ends all processes in some groups and removes the groups: SIGTERM, 2 s, `cgroup.kill`, which is
 * waited for. Resolves with what is left, which is nothing unless a process waits in the kernel.
 */
async function endGroups(
  files: CgroupFiles,
  groups: readonly CommandGroup[],
): Promise<readonly LiveProcess[]> {
  const endings = await Promise.all(groups.map(async (group) => {
    const ending = await endProcesses({
      known: await group.members(),
      find: () => group.members(),
      target: ({ pid }) => pid,
      kill: () => group.kill(),
    });
    await removeGroups(files, dirname(group.folder), [group.name]);
    return ending.left;
  }));
  return endings.flat();
}

/**
 * The name of the folder with the groups of one server: its process id, the time at which that
 * process started (a process id is used again), its namespace of process ids (in which alone both
 * mean something), and a part for each server that a process embeds. Groups don't outlive a boot.
 * `undefined` if `/proc` does not show the process.
 */
export async function nameServer(files: CgroupFiles, pid: number): Promise<string | undefined> {
  const started = parseStartTime(await files.read(`/proc/${pid}/stat`));
  if (started === undefined) return undefined;
  const part = crypto.randomUUID().slice(0, 8);
  return [pid, started, await namespaceOf(files), part].join("-");
}

/** Whether the server with this name may be alive: one of another namespace always may. */
export async function mayLive(files: CgroupFiles, name: string): Promise<boolean> {
  const [pid, started, namespace] = name.split("-");
  if (namespace !== await namespaceOf(files)) return true;
  return parseStartTime(await files.read(`/proc/${pid}/stat`)) === started;
}

async function namespaceOf(files: CgroupFiles): Promise<string> {
  return /\d+/.exec(await files.link("/proc/self/ns/pid"))?.[0] ?? "";
}
