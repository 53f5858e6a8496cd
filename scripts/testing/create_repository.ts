import { dirname } from "node:path/posix";
import { createTempFolder, type TempFolder } from "../../test_support/temp_folder.ts";

/** Writes files into a temporary git repository; objects become JSON. */
export async function createRepository(
  files: Readonly<Record<string, string | object>>,
): Promise<TempFolder> {
  const folder = await createTempFolder();
  await new Deno.Command("git", { args: ["init", "--quiet"], cwd: folder.path }).output();
  for (const [path, content] of Object.entries(files)) {
    const file = `${folder.path}/${path}`;
    await Deno.mkdir(dirname(file), { recursive: true });
    const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
    await Deno.writeTextFile(file, text);
  }
  return folder;
}
