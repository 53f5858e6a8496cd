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
  const { minify = false, external = [], config = `${ROOT}/deno.json` } = options;
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      ...["bundle", "--quiet", "--no-check", "--platform=browser", `--config=${config}`],
      ...(minify ? ["--minify"] : []),
      ...external.map((name) => `--external=${name}`),
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
