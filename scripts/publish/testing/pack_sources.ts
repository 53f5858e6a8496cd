import { dirname } from "node:path/posix";
import { readMembers } from "../../workspace.ts";
import type { PublishedPackage } from "../published_packages.ts";
import { unfurlImports } from "../unfurl_imports.ts";

/** What there is to pack, and where it goes. */
export interface Packing {
  /** The workspace. */
  readonly root: string;
  readonly packages: readonly PublishedPackage[];
  readonly target: string;
  /** The import map of the workspace, which is not published. */
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Puts the files that are published into a folder, as JSR would serve them. JSR serves a package
 * without the import map of its workspace: `deno publish` writes the names out in the sources. A
 * copy that kept them would work with the app's own import map only, and hide a package that the
 * sources import but that isn't written out. Returns the files that are exported, by what a user
 * imports.
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
