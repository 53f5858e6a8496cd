/** Returns the ids of the processes whose command line contains a text, which should be unique. */
export async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of allProcesses()) {
    if (pid !== Deno.pid && (await readCommandLine(pid)).includes(text)) found.push(pid);
  }
  return found;
}

/** Returns the ids of the processes that a process has started. */
export function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const child of allProcesses()) {
    const stat = readAtOnce(`/proc/${child}/stat`);
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(parent) === pid) found.push(child);
  }
  return Promise.resolve(found);
}

/** Tests that wait look again and again: without a promise for each process, that costs a fifth. */
function allProcesses(): number[] {
  return [...Deno.readDirSync("/proc")].flatMap(({ name }) =>
    /^\d+$/.test(name) ? [Number(name)] : []
  );
}

/**
 * While a process replaces its program (execve(2)), its command line is empty; a zombie's or a
 * kernel thread's stays so, and neither has a program.
 */
async function readCommandLine(pid: number): Promise<string> {
  for (const end = performance.now() + 10_000;;) {
    const line = readAtOnce(`/proc/${pid}/cmdline`);
    if (line !== "" || performance.now() > end) return line;
    if (!hasProgram(pid)) return "";
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function hasProgram(pid: number): boolean {
  try {
    Deno.readLinkSync(`/proc/${pid}/exe`);
    return true;
  } catch {
    return false;
  }
}

const BUFFER = new Uint8Array(64 * 1024);
const DECODER = new TextDecoder();

/** Reads up to 64 KiB in one read(2): between two of them, the process may replace its program. */
function readAtOnce(path: string): string {
  try {
    using file = Deno.openSync(path);
    return DECODER.decode(BUFFER.subarray(0, file.readSync(BUFFER) ?? 0));
  } catch {
    return "";
  }
}

/**
 * Waits until the command lines of exactly `count` processes contain a text; rejects after the
 * given time.
 */
export async function untilProcesses(text: string, count: number, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while ((await processesWith(text)).length !== count) {
    if (performance.now() > deadline) {
      const left = await processesWith(text);
      throw new Error(`Cannot see ${count} processes with "${text}": there are ${left.length}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns a duration for `sleep` that no other process has, by which the process can be found. */
export function uniqueSleep(): string {
  return `300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
}

/**
 * The code of a program (JavaScript for Deno) that prints `ready` and ends its first thread, and no
 * other, by system call 60 (exit, on x86-64) or 93 (on ARM64): it runs on, and looks like a zombie.
 */
export const END_FIRST_THREAD = `
  const { symbols } = Deno.dlopen("libc.so.6", {
    syscall: { parameters: ["i64", "i64"], result: "i64" },
  });
  console.log("ready");
  symbols.syscall(Deno.build.arch === "x86_64" ? 60n : 93n, 0n);`;
