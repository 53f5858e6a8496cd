import { within } from "../shared/deadline.ts";
import type { Launch } from "./join_group.ts";
import { DEFAULT_PATH, findProgram } from "../shared/find_program.ts";
import { spawnLaunch } from "./start_child.ts";

/** How long a program may take to have a session of its own. */
const SESSION_MS = 5_000;
/** Pause between two looks. */
const LOOK_MS = 1;

/**
 * Starts a program with an input, in a session of its own, and resolves once it is there. Deno
 * starts a detached process with fork(2), which copies the page tables of the whole server while
 * nobody is answered: 3 ms for a server of 110 MB. Any other process starts with posix_spawn(3) in
 * 0.3 ms, so the program `setsid`, if it is on `path`, makes the session.
 */
export async function spawnSession(
  launch: Launch,
  options: { readonly path?: string } = {},
): Promise<Deno.ChildProcess> {
  const { path = DEFAULT_PATH } = options;
  const setsid = await findProgram("setsid", { path }).catch(() => undefined);
  if (setsid === undefined) return spawnLaunch(launch, { stdin: true });
  const { program, args, env } = launch;
  const launched = { program: setsid, args: [program, ...args], env };
  const child = spawnLaunch(launched, { stdin: true, detached: false });
  await untilLeader(child, program);
  return child;
}

/** Waits until a process leads a group, or has ended; kills one that does neither. */
async function untilLeader(child: Deno.ChildProcess, program: string): Promise<void> {
  const deadline = performance.now() + SESSION_MS;
  while (!isGroup(child.pid) && !await within(child.status, LOOK_MS)) {
    if (performance.now() < deadline) continue;
    child.kill("SIGKILL");
    throw new Error(`Cannot start "${program}": it has no session after ${SESSION_MS / 1_000} s`);
  }
}

/** Whether there is a process group; the leader of a session leads a group too (setsid(2)). */
function isGroup(group: number): boolean {
  try {
    Deno.kill(-group, 0);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
