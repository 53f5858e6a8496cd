/** The path of a server's lock, next to the store. */
export function lockPath(folder: string, server: string): string {
  return `${folder}/jobs-${server}.lock`;
}

/**
 * Acquires the lock of a server, which shows other servers that it is alive; `undefined` if another
 * process holds it. It is a lock on an open file (flock(2)): the kernel releases it when the
 * process ends, however that happens, and unlike a process id, the identity is never reused.
 */
export async function holdServerLock(
  folder: string,
  server: string,
): Promise<Disposable | undefined> {
  const path = lockPath(folder, server);
  const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  if (await file.tryLock(true)) return file;
  file.close();
  return undefined;
}

/** Removes the file of a lock that is held, and so of a server that is gone. */
export async function removeServerLock(folder: string, server: string): Promise<void> {
  await Deno.remove(lockPath(folder, server)).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}
