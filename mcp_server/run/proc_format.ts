/** A process that is still running, and not a zombie. */
export interface LiveProcess {
  readonly pid: number;
  readonly group: number;
}

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
  const fields = splitStat(line);
  if (fields === undefined || isEnded(fields.rest)) return undefined;
  return { pid: fields.pid, group: Number(fields.rest[GROUP]) };
}

/**
 * How many bytes `/proc/<pid>/environ` has, by a line of `/proc/<pid>/stat`: none if the process has
 * ended, is a thread of the kernel or may not be read. `NaN` while it replaces its program
 * (execve(2)): then the file is empty, or ends too early.
 */
export function environBytes(line: string): number {
  const fields = splitStat(line);
  if (fields === undefined || isEnded(fields.rest)) return 0;
  const [size = 0, code = 0, start = 0, end = 0] = MEMORY.map((at) => Number(fields.rest[at]));
  const isKernelThread = size === 0;
  const isHidden = code === 1;
  if (isKernelThread || isHidden) return 0;
  return end === 0 ? NaN : end - start;
}

/**
 * When a process started, in ticks since boot, by its line of `/proc/<pid>/stat`; `undefined` if it
 * has ended.
 */
export function parseStartTime(line: string): string | undefined {
  const fields = splitStat(line);
  return fields === undefined || isEnded(fields.rest) ? undefined : fields.rest[STARTED];
}

/** Where fields are in what follows the name; proc_pid_stat(5) counts from one, with id and name. */
const [STATE, GROUP, THREADS, STARTED] = [3 - 3, 5 - 3, 20 - 3, 22 - 3] as const;

/** The size of the memory, the start of the code, and where the environment starts and ends. */
const MEMORY = [23, 26, 50, 51].map((at) => at - 3);

function splitStat(line: string): { readonly pid: number; readonly rest: string[] } | undefined {
  // A program may be named ") Z 1 1": the last parenthesis is the one that counts.
  const match = /^(\d+) \(.*\) ([A-Za-z] .*)$/s.exec(line);
  return match === null
    ? undefined
    : { pid: Number(match[1]), rest: (match[2] ?? "").trim().split(" ") };
}

/** A zombie whose other threads run on has ended only its first thread. */
function isEnded(rest: readonly string[]): boolean {
  return "Xx".includes(rest[STATE] ?? "X") || (rest[STATE] === "Z" && !(Number(rest[THREADS]) > 1));
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
