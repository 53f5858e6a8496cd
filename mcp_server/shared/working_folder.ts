/** The folder that the server was started in, or `undefined` if it was removed. */
export function workingFolder(): string | undefined {
  try {
    return Deno.cwd();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Imports a package on first use. Deno can't do that while the working folder is removed. */
export async function loadPackage<Module>(
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (workingFolder() !== undefined) throw cause;
    throw new Error(
      `Cannot load "${name}": the server's working folder was removed; start the server again`,
      { cause },
    );
  }
}
