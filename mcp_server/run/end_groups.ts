import { endProcesses } from "./end_processes.ts";
import type { LiveProcess } from "./live_process.ts";
import type { CgroupFiles } from "./cgroup_files.ts";
import { CommandGroup, removeGroups } from "./command_group.ts";

/** The group of a command of some server. */
export interface FoundGroup {
  /** The folder of its server. */
  readonly folder: string;
  readonly name: string;
  readonly group: CommandGroup;
}

/** The groups of the commands of some servers. */
export async function groupsIn(
  files: CgroupFiles,
  root: string,
  servers: readonly string[],
): Promise<FoundGroup[]> {
  const found: FoundGroup[] = [];
  for (const server of servers) {
    const folder = `${root}/${server}`;
    for (const name of await files.folders(folder)) {
      found.push({ folder, name, group: new CommandGroup(files, `${folder}/${name}`) });
    }
  }
  return found;
}

/**
 * Ends all processes in some groups and removes the groups: SIGTERM, 2 s, `cgroup.kill`, which is
 * waited for. Resolves with what is left, which is nothing unless a process waits in the kernel.
 */
export async function endGroups(
  files: CgroupFiles,
  found: readonly FoundGroup[],
): Promise<readonly LiveProcess[]> {
  const endings = await Promise.all(found.map(async ({ folder, name, group }) => {
    const ending = await endProcesses({
      known: await group.members(),
      find: () => group.members(),
      target: ({ pid }) => pid,
      kill: () => group.kill(),
    });
    await removeGroups(files, folder, [name]);
    return ending.left;
  }));
  return endings.flat();
}
