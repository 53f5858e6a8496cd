import type { CommandLimits } from "../shared/limits.ts";
import type { CgroupFiles } from "./cgroup_files.ts";
import type { Controller } from "./own_group.ts";

/** One file of a group that limits what runs in it. */
export interface GroupLimit {
  readonly controller: Controller;
  readonly file: string;
  readonly value: string;
  /** Whether the kernel may lack the file, as without swap. */
  readonly optional?: boolean;
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
  if (pids !== undefined) {
    limits.push({ controller: "pids", file: "pids.max", value: String(pids) });
  }
  if (cpu !== undefined) {
    const value = `${Math.round(cpu * CPU_PERIOD)} ${CPU_PERIOD}`;
    limits.push({ controller: "cpu", file: "cpu.max", value });
  }
  return limits;
}

/** Limits what runs in a group. */
export async function setLimits(
  files: CgroupFiles,
  group: string,
  limits: readonly GroupLimit[],
): Promise<void> {
  for (const { file, value, optional = false } of limits) {
    try {
      await files.write(`${group}/${file}`, value);
    } catch (cause) {
      if (!optional) throw cause;
    }
  }
}
