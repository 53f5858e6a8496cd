import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../test_support/root.ts";
import { compareSnapshot } from "../test_support/snapshot.ts";
import { exportedFiles } from "./workspace.ts";

/** The public surface of a file as `deno doc` prints it, without re-exports from packages. */
async function publicSurface(file: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--quiet", file],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stderr: "null",
  }).output();
  const entries = new TextDecoder().decode(stdout).split(/\n(?=Defined in )/);
  return entries
    .filter((entry) => !entry.startsWith("Defined in https:") && !/^namespace /m.test(entry))
    .map((entry) => entry.replace(/^Defined in .*\n+/, ""))
    .map((entry) => entry.replaceAll(OWN_PLACE, "$1"))
    .join("\n");
}

/** One of the repository's files, with the line and column that an alias refers to. */
const OWN_PLACE = new RegExp(`${RegExp.escape(pathToFileURL(ROOT).href)}/(\\S+?):\\d+:\\d+`, "g");

for (const file of await exportedFiles(ROOT)) {
  Deno.test(`the public surface of ${file} matches the snapshot`, async () => {
    const kept = `${ROOT}/${dirname(file)}/testdata/public_surface/${basename(file, ".ts")}.txt`;
    await compareSnapshot(kept, await publicSurface(file));
  });
}
