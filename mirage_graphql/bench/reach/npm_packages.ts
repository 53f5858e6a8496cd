/** Longest time that one package takes. */
const DEADLINE_MS = 120_000;

/** Downloads packages, without their dependencies, and unpacks each to a folder by its name. */
export async function downloadPackages(
  packages: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>();
  for (const name of new Set(packages)) {
    const target = `${folder}/${folders.size}`;
    await Deno.mkdir(target);
    await run("npm", ["pack", "--silent", "--prefer-offline", "--ignore-scripts", name], target);
    const [archive] = Array.from(Deno.readDirSync(target), ({ name }) => name);
    if (archive === undefined) throw new Error(`Cannot download "${name}": npm left no archive`);
    await run("tar", ["-xzf", archive], target);
    folders.set(name, `${target}/package`);
  }
  return folders;
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const command = new Deno.Command(program, {
    args: [...args],
    cwd,
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const { success, stderr } = await command.output();
  if (success) return;
  throw new Error(
    `Cannot run "${program} ${args.join(" ")}": ${new TextDecoder().decode(stderr).trim()}`,
  );
}
