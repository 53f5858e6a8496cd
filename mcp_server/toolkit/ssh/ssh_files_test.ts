import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { createHangingMount } from "../../testing/hanging_mount.ts";
import { needsRoot } from "../../testing/needs_root.ts";
import { SshFiles } from "./ssh_files.ts";

const never = new AbortController().signal;
const LATE = { fault: "its file system does not answer", isLate: true };
/** More than may hang. */
const LOOKS = 20;

function filesFor(ms: number): SshFiles {
  return new SshFiles({ signal: never, deadline: performance.now() + ms });
}

const hanging = "SshFiles reads other files, however often one that hangs is looked up";
const [name, asRoot] = needsRoot(hanging);
const required = requires("sshfs", name);

Deno.test({
  ...required,
  ignore: asRoot.ignore || required.ignore,
  async fn() {
    await using mount = await createHangingMount();
    await using folder = await createTempFolder();
    const [far, near] = [`${mount.path}/known_hosts`, `${folder.path}/known_hosts`];
    await Deno.writeTextFile(`${mount.source}/known_hosts`, "far");
    await Deno.writeTextFile(near, "near");
    mount.hang();
    for (let look = 0; look < LOOKS; look++) {
      using files = filesFor(50);
      deepStrictEqual(await files.stat(far), LATE);
    }
    using files = filesFor(60_000);
    deepStrictEqual(await files.read(near, 100), { text: "near" });
    mount.resume();
    deepStrictEqual(await files.read(far, 100), { text: "far" });
  },
});

Deno.test("SshFiles reports why text can't be added to a file, also if its folder is missing", async () => {
  await using folder = await createTempFolder();
  using files = filesFor(60_000);
  const [file, link] = [`${folder.path}/new/known_hosts`, `${folder.path}/link`];
  deepStrictEqual(await files.append(file, "one\n"), {});
  deepStrictEqual(await files.append(file, "two\n"), {});
  strictEqual(await Deno.readTextFile(file), "one\ntwo\n");
  strictEqual(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  await Deno.symlink(`${folder.path}/missing/known_hosts`, link);
  deepStrictEqual(await files.stat(link), {});
  const { fault, isLate } = await files.append(link, "one\n");
  ok(fault?.startsWith("it does not exist"), String(fault));
  strictEqual(isLate, false);
});
