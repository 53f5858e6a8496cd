import * as z from "zod";
import { ROOT } from "../../test_support/root.ts";

/** How a program ended, and everything that it wrote. */
export interface ProgramEnd {
  readonly success: boolean;
  readonly output: string;
}

const Manifest = z.object({ imports: z.record(z.string(), z.string()) });

/** Runs a program of an npm package, in the version that the import map of this repository names. */
export async function runNpmProgram(
  { name, program }: { name: string; program: string },
  args: readonly string[],
): Promise<ProgramEnd> {
  const { imports } = Manifest.parse(JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)));
  const specifier = imports[name];
  if (specifier === undefined) {
    throw new RangeError(`Cannot run "${program}": the import map has no "${name}"`);
  }
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `${specifier}/${program}`, ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { success, output: decoder.decode(stdout) + decoder.decode(stderr) };
}
