import type { LiveProcess } from "./live_process.ts";

/** An open file of a process that is a pipe; both ends of a pipe have the same inode. */
export interface PipeEnd {
  readonly fd: number;
  readonly inode: string;
}

/**
 * Reads a line of `/proc/<pid>/stat` (proc_pid_stat(5)); returns `undefined` for a process that has
 * ended.
 */
export function parseStat(line: string): LiveProcess | undefined {
  // A program may be named ") Z 1 1": the last parenthesis is the one that counts.
  const match = /^(\d+) \(.*\) ([A-Za-z]) -?\d+ (-?\d+) /s.exec(line);
  if (match === null || "ZXx".includes(match[2] ?? "Z")) return undefined;
  return { pid: Number(match[1]), group: Number(match[3]) };
}

/** The inode in the target of a link in `/proc/<pid>/fd`, if the file is a pipe. */
export function parsePipe(target: string): string | undefined {
  return /^pipe:\[(\d+)\]$/.exec(target)?.[1];
}

/**
 * Whether programs started later inherit the file with this `/proc/<pid>/fdinfo/<fd>`: it has no
 * O_CLOEXEC (open(2)), so the server itself inherited it, and it is not a pipe of a run.
 */
export function isInheritable(fdinfo: string): boolean {
  const flags = parseFlags(fdinfo);
  return flags === undefined || (flags & 0o2000000) === 0;
}

/**
 * Whether the file with this `/proc/<pid>/fdinfo/<fd>` is where the server reads the output of a
 * run, if it is a pipe: the server opened it, and only for reading. The pipe to a run's input is
 * open for writing.
 */
export function isOutputEnd(fdinfo: string): boolean {
  return !isInheritable(fdinfo) && ((parseFlags(fdinfo) ?? 0) & 0o3) === 0;
}

function parseFlags(fdinfo: string): number | undefined {
  const flags = /^flags:\s*([0-7]+)$/m.exec(fdinfo)?.[1];
  return flags === undefined ? undefined : Number.parseInt(flags, 8);
}
