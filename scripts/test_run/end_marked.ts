import { setTimeout as pause } from "node:timers/promises";

/** How long new processes are looked for; each pass ends those that it finds. */
const WITHIN_MS = 5_000;

/**
 * Kills every process whose environment contains a text, such as `RUN=<unique id>`, and whatever
 * those start meanwhile. Returns how many there were.
 */
export async function endMarked(mark: string): Promise<number> {
  const ended = new Set<number>();
  for (const deadline = performance.now() + WITHIN_MS; performance.now() < deadline;) {
    const found = markedProcesses(mark);
    if (found.length === 0) break;
    for (const pid of found) {
      ended.add(pid);
      killIfThere(pid);
    }
    await pause(20);
  }
  return ended.size;
}

function markedProcesses(mark: string): number[] {
  return [...Deno.readDirSync("/proc")]
    .map(({ name }) => Number(name))
    .filter((pid) =>
      Number.isInteger(pid) && pid !== Deno.pid && environmentOf(pid).includes(mark)
    );
}

/** Another user's process, and one that has ended, show none. */
function environmentOf(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`);
  } catch {
    return "";
  }
}

function killIfThere(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
