import * as z from "zod";

const Manifest = z.object({
  workspace: z.array(z.string()).default([]),
  exports: z.union([z.string(), z.record(z.string(), z.string())]).default({}),
});

/** The files that the packages of the workspace export, as paths from its root. */
export async function exportedFiles(root: string): Promise<string[]> {
  const { workspace } = await readManifest(root);
  const files = await Promise.all(workspace.map(async (member) => {
    const { exports } = await readManifest(`${root}/${member}`);
    const entries = typeof exports === "string" ? [exports] : Object.values(exports);
    return entries.map((entry) => new URL(`${member}/${entry}`, "file:///").pathname.slice(1));
  }));
  return files.flat();
}

async function readManifest(folder: string): Promise<z.output<typeof Manifest>> {
  return Manifest.parse(JSON.parse(await Deno.readTextFile(`${folder}/deno.json`)));
}
