import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../test_support/root.ts";
import { compareSnapshot } from "../test_support/snapshot.ts";
import { exportedFiles } from "./workspace.ts";

/** The public surface of a file as `deno doc` prints it, without what it passes on from others. */
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

/** A file of ours, with the line and column of what a second name refers to. */
const OWN_PLACE = new RegExp(`${RegExp.escape(pathToFileURL(ROOT).href)}/(\\S+?):\\d+:\\d+`, "g");

for (const file of await exportedFiles(ROOT)) {
  Deno.test(`the public surface of ${file} is the one that is kept`, async () => {
    const kept = `${ROOT}/${dirname(file)}/testdata/public_surface/${basename(file, ".ts")}.txt`;
    await compareSnapshot(kept, await publicSurface(file));
  });
}
