/** The npm package with Bun's program, which needs no script to run on installation. */
const VERSION = "1.4.5";
const PACKAGE = `@oven/bun-linux-${Deno.build.arch === "aarch64" ? "aarch64" : "x64"}`;

/** The path of a real Bun, which is downloaded into Deno's cache if it is not there. */
export async function findBun(): Promise<string> {
  await runDeno(["cache", "--quiet", "--no-config", "--no-lock", `npm:${PACKAGE}@${VERSION}`]);
  const { npmCache } = JSON.parse(await runDeno(["info", "--json"]));
  for await (const { name } of Deno.readDir(npmCache)) {
    const program = `${npmCache}/${name}/${PACKAGE}/${VERSION}/bin/bun`;
    if (await isFile(program)) return program;
  }
  throw new Error(`Cannot find Bun ${VERSION} in "${npmCache}": ${PACKAGE} has no bin/bun`);
}

async function runDeno(args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot run deno ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
