import type { RunAsUser } from "../../access/run_as.ts";

/** Where the files of a script are written. */
export interface ScriptFiles {
  /** The absolute path of their folder, which has mode 0700. */
  readonly path: string;
  /** Writes a file of mode 0600; rejects with the system's error. */
  write(name: string, text: string): Promise<void>;
}

/** The files of the server's own user. */
export function ownFiles(path: string): ScriptFiles {
  return {
    path,
    write: (name, text) => Deno.writeTextFile(`${path}/${name}`, text, { mode: 0o600 }),
  };
}

/**
 * Creates a folder of a user within a folder of root. The user owns it, and may change everything in
 * it, but can't replace it: whatever path root writes to, it is in this very folder.
 */
export async function createUserFiles(parent: string, user: RunAsUser): Promise<ScriptFiles> {
  const path = `${parent}/${FOLDER}`;
  await Deno.mkdir(path);
  // The folder is still root's, so that no link can be put in the place of a path.
  await Deno.chmod(path, 0o700);
  await Deno.chown(path, user.uid, user.gid);
  await Deno.chmod(parent, 0o711);
  return { path, write: (name, text) => writeFor(user, `${path}/${name}`, text) };
}

const FOLDER = "files";

/** Writes a new file and gives it away by its descriptor: a name may be a link of the user's. */
async function writeFor({ uid, gid }: RunAsUser, path: string, text: string): Promise<void> {
  const { open, rm } = await import("node:fs/promises");
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.chown(uid, gid);
  } finally {
    await file.close();
  }
}
