import { fileURLToPath } from "node:url";
import { ROOT } from "../root.ts";

/** How a bundle is made. */
export interface BundleOptions {
  /** Takes out what a machine does not need. @default {false} */
  readonly minify?: boolean;
  /** Packages that stay imports, such as `vue`. @default {[]} */
  readonly external?: readonly string[];
  /** Path of the configuration whose import map is used. @default {the root's} */
  readonly config?: string;
}

/**
 * Makes one ES module for the browser of a file and all that it imports. Bare imports resolve
 * through the root import map, wherever the file stands.
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
