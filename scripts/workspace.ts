import * as z from "zod";

const Workspace = z.object({ workspace: z.array(z.string()).default([]) });

const Named = z.object({ name: z.unknown().refine((name) => name !== undefined) });

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  description: z.string().optional(),
  exports: z.union([
    z.string().transform((file): Record<string, string> => ({ ".": file })),
    z.record(z.string(), z.string()),
  ]),
});

/** A package of the workspace. */
export interface Member extends z.output<typeof Manifest> {
  /** Its folder, as a path from the root. */
  readonly folder: string;
}

/** What a package exports only where it is published with files from outside of its folder: on JSR. */
export const JSR_EXPORTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mcp_server: { "./main": "./main.ts" },
};

/** The packages of the workspace, in order; a member without a name is not a package. */
export async function readMembers(root: string): Promise<Member[]> {
  const { workspace } = Workspace.parse(await readManifest(root));
  const members = await Promise.all(workspace.map(async (path) => {
    const folder = new URL(path, "file:///").pathname.slice(1);
    const manifest = await readManifest(`${root}/${folder}`);
    return Named.safeParse(manifest).success ? [{ folder, ...Manifest.parse(manifest) }] : [];
  }));
  return members.flat();
}

/** The files that the packages of the workspace export, as paths from its root. */
export async function exportedFiles(root: string): Promise<string[]> {
  const members = await readMembers(root);
  return members.flatMap(({ folder, exports }) =>
    Object.values(exports).map((entry) =>
      new URL(`${folder}/${entry}`, "file:///").pathname.slice(1)
    )
  );
}

async function readManifest(folder: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
}
