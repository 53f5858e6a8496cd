import { dirname } from "node:path/posix";
import { readMembers } from "../../workspace.ts";
import type { PublishedPackage } from "../published_packages.ts";
import { unfurlImports } from "../unfurl_imports.ts";

/** What to pack, and where it goes. */
export interface Packing {
  /** The workspace. */
  readonly root: string;
  readonly packages: readonly PublishedPackage[];
  readonly target: string;
  /** The import map of the workspace, which is not published. */
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Copies the published files into a folder, as JSR would serve them. JSR serves a package without
 * the import map of its workspace: `deno publish` rewrites the specifiers in the sources. A copy
 * that kept them would work only with the app's own import map, and hide a package whose specifier
 * isn't rewritten. Returns the exported files, by import specifier.
 */
export async function packSources(packing: Packing): Promise<Record<string, string>> {
  const { root, packages, target, imports } = packing;
  for (const path of packages.flatMap(({ files }) => files)) {
    await Deno.mkdir(`${target}/${dirname(path)}`, { recursive: true });
    const text = await Deno.readTextFile(`${root}/${path}`);
    const packed = path.endsWith(".ts") ? unfurlImports(text, imports) : text;
    await Deno.writeTextFile(`${target}/${path}`, packed);
  }
  const published = new Set(packages.map(({ name }) => name));
  const members = (await readMembers(root)).filter(({ name }) => published.has(name));
  return Object.fromEntries(
    members.flatMap(({ name, folder, exports }) =>
      Object.entries(exports).map(([entry, file]) => [
        entry.replace(/^\./, name),
        `${target}/${folder}/${file.replace(/^\.\//, "")}`,
      ])
    ),
  );
}
