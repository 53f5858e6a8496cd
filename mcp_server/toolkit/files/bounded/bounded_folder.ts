import type { Caller } from "../../../access/caller.ts";
import { NotAllowedError } from "../../../shared/error.ts";
import { type FileAction, quotePath } from "../file_error.ts";
import type { RunAsUser } from "../../../access/run_as.ts";
import type { FileProcess } from "../file_system/file_process.ts";
import { processesOf } from "../file_system/file_processes.ts";
import { BoundedFileSystem } from "./bounded_file_system.ts";

/** Whose rights bound a path, and how it is used. */
export interface BoundedUse {
  readonly caller: Caller;
  /** The user as whom it is used. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
  /** Stops the wait for a process. */
  readonly signal: AbortSignal;
  /** Whether the path is a folder to enter, not a file. @default {false} */
  readonly into?: boolean;
}

const EVERYTHING = "/**";

/** Whether there are paths that a caller may not use. */
export function isBounded({ rights }: Caller): boolean {
  return rights !== undefined && !rights.paths.includes(EVERYTHING);
}

/**
 * Works on a path in a process that is in its folder. Rejects with a `NotAllowedError` if the caller
 * may not use the real path, whether it exists or not.
 */
export async function inBoundedFolder<T>(
  file: FileAction,
  { caller, user, signal, into = false }: BoundedUse,
  work: (system: BoundedFileSystem, process: FileProcess) => Promise<T>,
): Promise<T> {
  const patterns = caller.rights?.paths ?? [EVERYTHING];
  const processes = processesOf(user);
  const process = await processes.acquire(file, signal);
  try {
    const walk = await process.ask("walk", file.path, { patterns, into });
    if (!walk.allowed) throw notAllowed(file, caller);
    const refusal = () => notAllowed(file, caller);
    return await work(new BoundedFileSystem(process, { ...walk, patterns, refusal }), process);
  } finally {
    // A process that has ended has left its folder as well.
    await process.ask("leave").catch(() => {});
    processes.release(process);
  }
}

function notAllowed({ action, path }: FileAction, { name, rights }: Caller): NotAllowedError {
  const rule = rights?.paths.join(", ") || "none";
  return new NotAllowedError(
    `Cannot ${action} ${
      quotePath(path)
    }: it is not among the paths of the caller "${name}" (${rule})`,
  );
}
