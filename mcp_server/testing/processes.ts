/** Returns the ids of the processes whose command line contains a text, which should be unique. */
export async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const line = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (line.includes(text) && Number(name) !== Deno.pid) found.push(Number(name));
  }
  return found;
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
