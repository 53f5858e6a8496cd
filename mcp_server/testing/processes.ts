/** The ids of the processes whose command line holds a text; look for a text that is unique. */
export async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const line = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (line.includes(text) && Number(name) !== Deno.pid) found.push(Number(name));
  }
  return found;
}

/** Waits until as many processes hold a text as are expected; rejects after the time given. */
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

/** A duration for `sleep` that no other process has, so that it can be found by it. */
export function uniqueSleep(): string {
  return `300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
}
