/** Memory of a process and of all that it started, in MiB. */
export interface Memory {
  readonly now: number;
  /** The sum of what each has used at most. */
  readonly peak: number;
}

const KIB_A_MIB = 1_024;

/** Reads the memory of a process and its descendants; NaN if it has ended. */
export function memoryOf(pid: number): Memory {
  const total = { now: NaN, peak: NaN };
  const parents = parentsOfAll();
  for (const one of [pid, ...descendantsOf(pid, parents)]) {
    const memory = parseStatus(readProc(one, "status"));
    if (memory === undefined) continue;
    total.now = (one === pid ? 0 : total.now) + memory.now;
    total.peak = (one === pid ? 0 : total.peak) + memory.peak;
  }
  return total;
}

/** Reads `VmRSS` and `VmHWM` of `/proc/<pid>/status`; `undefined` if it has none. */
export function parseStatus(text: string): Memory | undefined {
  const [now, peak] = ["VmRSS", "VmHWM"].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]) / KIB_A_MIB
  );
  if (now === undefined || peak === undefined || Number.isNaN(now + peak)) return undefined;
  return { now, peak };
}

/** The processes that are exactly `sleep <seconds>`. */
export function sleepsOf(seconds: string): number[] {
  return pids().filter((pid) => readProc(pid, "cmdline") === `sleep\0${seconds}\0`);
}

/** Processor time of a process and its descendants, in clock ticks. */
export function ticksOf(pid: number): number {
  const parents = parentsOfAll();
  return [pid, ...descendantsOf(pid, parents)]
    .map((one) => parseStat(readProc(one, "stat"))?.ticks ?? 0)
    .reduce((sum, ticks) => sum + ticks, 0);
}

/** Reads the parent and the processor time of `/proc/<pid>/stat`; the name may contain anything. */
export function parseStat(text: string): { parent: number; ticks: number } | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [parent, ticks] = [Number(fields[1]), Number(fields[11]) + Number(fields[12])];
  return text === "" || Number.isNaN(parent + ticks) ? undefined : { parent, ticks };
}

/** Kills processes that may have ended. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound) && !(error instanceof TypeError)) throw error;
    }
  }
}

function descendantsOf(pid: number, parents: ReadonlyMap<number, number>): number[] {
  const found = new Set<number>();
  for (let grown = true; grown;) {
    grown = false;
    for (const [child, parent] of parents) {
      if (found.has(child) || (parent !== pid && !found.has(parent))) continue;
      found.add(child);
      grown = true;
    }
  }
  return [...found];
}

function parentsOfAll(): Map<number, number> {
  return new Map(
    pids().flatMap((pid) => {
      const stat = parseStat(readProc(pid, "stat"));
      return stat === undefined ? [] : [[pid, stat.parent]];
    }),
  );
}

function pids(): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter((pid) => pid > 0);
}

/** A file of a process, empty if it has ended. */
function readProc(pid: number, file: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${file}`);
  } catch {
    return "";
  }
}
