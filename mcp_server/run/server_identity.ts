import type { CgroupFiles } from "./cgroup_files.ts";
import { noGroups } from "./own_group.ts";

/**
 * The name of the folder with the groups of one server: its process id, the time at which that
 * process started (a process id is used again), its namespace of process ids (in which alone both
 * mean something), and a part for each server that a process embeds. Groups don't outlive a boot.
 */
export async function nameServer(files: CgroupFiles, pid: number): Promise<string> {
  const started = parseStartTime(await files.read(`/proc/${pid}/stat`));
  if (started === undefined) throw noGroups("/proc does not show this process");
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

/**
 * Reads when a process started, in ticks since boot, from its `/proc/<pid>/stat`
 * (proc_pid_stat(5)); `undefined` if it has ended.
 */
export function parseStartTime(stat: string): string | undefined {
  // A program may be named ") Z 1": the last parenthesis is the one that counts.
  const [state = "Z", ...fields] = stat.slice(stat.lastIndexOf(")") + 1).trim().split(/\s+/);
  return /[ZXx]/.test(state) || stat === "" ? undefined : fields[18];
}
