/**
 * New paths of the same files, because a module is imported only once by each path. A version is a
 * link to the root folder: every relative import below it has a new path too, and nothing is copied.
 */
export class ModuleVersions {
  #folder: string | undefined;
  #count = 0;

  /** Creates a version; the path of a file in it is the version's followed by the file's. */
  async create(): Promise<string> {
    const name = `${++this.#count}`;
    try {
      this.#folder ??= await makeFolder();
      return await link(`${this.#folder}/${name}`);
    } catch {
      // a program that cleans up temporary files removed it
      this.#folder = await makeFolder();
      return await link(`${this.#folder}/${name}`);
    }
  }

  /** Removes the links; modules that are loaded already stay usable. */
  async close(): Promise<void> {
    const folder = this.#folder;
    this.#folder = undefined;
    if (folder !== undefined) await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

/** Only the server's user can write to it, so that nobody else can redirect an import. */
async function makeFolder(): Promise<string> {
  return await Deno.makeTempDir({ prefix: "trestle-reload-" });
}

async function link(path: string): Promise<string> {
  await Deno.symlink("/", path);
  return path;
}
