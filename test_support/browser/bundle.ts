import { fileURLToPath } from "node:url";
import { ROOT } from "../root.ts";

/** How a bundle is made. */
export interface BundleOptions {
  /** Minifies the output. @default {false} */
  readonly minify?: boolean;
  /** Packages that remain imports, such as `vue`. @default {[]} */
  readonly external?: readonly string[];
  /** Path of the configuration whose import map is used. @default {the root's} */
  readonly config?: string;
}

/**
 * Bundles a file and everything that it imports into one ES module for the browser. Bare imports
 * resolve through the root import map, wherever the file is.
 */
export async function bundle(entry: URL, options: BundleOptions = {}): Promise<string> {
  return await runBundle(entry, options, []);
}

/**
 * Bundles a file into parts, of which those that only `import()` needs are files of their own.
 * Returns the text of each part by its file name; that of the entry is named after it.
 */
export async function bundleParts(
  entry: URL,
  options: BundleOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const folder = await Deno.makeTempDir();
  try {
    await runBundle(entry, options, ["--code-splitting", `--outdir=${folder}`]);
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    const texts = await Promise.all(names.map((name) => Deno.readTextFile(`${folder}/${name}`)));
    return new Map(names.map((name, index) => [name, texts[index] ?? ""]));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runBundle(
  entry: URL,
  { minify = false, external = [], config = `${ROOT}/deno.json` }: BundleOptions,
  more: readonly string[],
): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      ...["bundle", "--quiet", "--no-check", "--platform=browser", `--config=${config}`],
      ...(minify ? ["--minify"] : []),
      ...external.map((name) => `--external=${name}`),
      ...more,
      fileURLToPath(entry),
    ],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot bundle "${entry.pathname}": ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}
