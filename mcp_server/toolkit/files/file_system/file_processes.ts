import type { RunAsUser } from "../../../access/run_as.ts";
import { FileProcess } from "./file_process.ts";
import { FileWorkers } from "./file_workers.ts";

/** How long a process is kept that has nothing to do. */
const IDLE_MS = 60_000;
/** Processes of the server's own user that are kept; other users have one each. */
const OWN = 2;
const processes = new Map<string, FileWorkers<FileProcess>>();

/**
 * The processes of a user, or of the server's own; those of an account that has changed do not work
 * for the new one.
 */
export function processesOf(user: RunAsUser | undefined): FileWorkers<FileProcess> {
  const key = user === undefined ? "" : [user.name, user.uid, user.gid, ...user.groups].join(":");
  const known = processes.get(key);
  if (known !== undefined) return known;
  const start = () => new FileProcess(user);
  const usual = user === undefined ? OWN : 1;
  const workers = new FileWorkers({ start, usual, idleMs: IDLE_MS });
  processes.set(key, workers);
  return workers;
}
