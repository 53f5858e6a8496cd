import { openContainment } from "../run/containment.ts";
import { createTestLog } from "./test_runner.ts";

/**
 * Why this machine has no control groups for commands; `undefined` if it has. Tests of what only
 * they can do check instead, where there are none, that the server says so.
 */
export async function whyUncontained(): Promise<string | undefined> {
  const options = { limits: {}, path: Deno.env.get("PATH") ?? "", log: createTestLog() };
  await using containment = await openContainment({ ...options, mode: "auto" });
  return containment.state.reason;
}

/**
 * The processes whose working folder is the given one, by which a test finds its own, whatever they
 * did to their environment, name, session and parent. Those that have ended are not among them.
 */
export function processesIn(folder: string): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name))
    .filter((pid) => pid > 0 && pid !== Deno.pid && workingFolderOf(pid) === folder);
}

function workingFolderOf(pid: number): string | undefined {
  try {
    return Deno.readLinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Kills the processes in a folder that a test left running, or that a failing test did not stop. */
export function killIn(folder: string): void {
  for (const pid of processesIn(folder)) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** Waits until exactly `count` processes are in a folder; rejects after 30 s. */
export async function untilProcessesIn(folder: string, count: number): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (processesIn(folder).length !== count) {
    if (performance.now() > deadline) {
      const found = processesIn(folder).length;
      throw new Error(`Cannot see ${count} processes in "${folder}": there are ${found}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
