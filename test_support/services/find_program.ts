/** Tells whether a program is there: by name in the folders of PATH, or by its absolute path. */
export function hasProgram(program: string, path: string = Deno.env.get("PATH") ?? ""): boolean {
  if (program.startsWith("/")) return isProgram(program);
  return path.split(":").some((folder) => folder !== "" && isProgram(`${folder}/${program}`));
}

function isProgram(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? 0) & 0o111) !== 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}
