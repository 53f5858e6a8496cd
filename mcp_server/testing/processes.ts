/** Returns the ids of the processes whose command line contains a text, which should be unique. */
export async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) continue;
    if ((await readCommandLine(name)).includes(text)) found.push(Number(name));
  }
  return found;
}

/** Returns the ids of the processes that a process has started. */
export async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(parent) === pid) found.push(Number(name));
  }
  return found;
}

/**
 * While a process replaces its program (execve(2)), its command line is empty; a zombie's or a
 * kernel thread's stays so, and neither has a program.
 */
async function readCommandLine(pid: string): Promise<string> {
  for (const end = performance.now() + 10_000;;) {
    const line = readAtOnce(`/proc/${pid}/cmdline`);
    if (line !== "" || performance.now() > end) return line;
    const hasProgram = await Deno.readLink(`/proc/${pid}/exe`).then(() => true, () => false);
    if (!hasProgram) return "";
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Reads up to 64 KiB in one read(2): between two of them, the process may replace its program. */
function readAtOnce(path: string): string {
  try {
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(64 * 1024);
    return new TextDecoder().decode(bytes.subarray(0, file.readSync(bytes) ?? 0));
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
