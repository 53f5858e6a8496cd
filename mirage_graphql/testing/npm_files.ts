import { strictEqual } from "node:assert/strict";

/** Files of a package from npm. */
export interface NpmFiles extends AsyncDisposable {
  /** Reads a file by its path in the package. */
  read(path: string): Promise<string>;
  /** Reads all files of a folder whose names have an ending. */
  readAll(folder: string, ending: string): Promise<string[]>;
}

/** Downloads a package with npm into a temporary folder, without its dependencies. */
export async function downloadPackage(specifier: string): Promise<NpmFiles> {
  const temp = await Deno.makeTempDir();
  const remove = () => Deno.remove(temp, { recursive: true });
  try {
    const tarball = (await run("npm", ["pack", specifier, "--silent"], temp)).trim();
    await run("tar", ["xzf", tarball], temp);
  } catch (error) {
    await remove();
    throw error;
  }
  const root = `${temp}/package`;
  const read = (path: string) => Deno.readTextFile(`${root}/${path}`);
  return {
    read,
    async readAll(folder, ending) {
      const entries = await Array.fromAsync(Deno.readDir(`${root}/${folder}`));
      const names = entries.map(({ name }) => name).filter((name) => name.endsWith(ending));
      return await Promise.all(names.sort().map((name) => read(`${folder}/${name}`)));
    },
    [Symbol.asyncDispose]: remove,
  };
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    signal: AbortSignal.timeout(300_000),
  }).output();
  strictEqual(success, true, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
