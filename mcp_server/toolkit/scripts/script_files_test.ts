import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { createTestUser, needsUsers } from "../../testing/test_user.ts";
import { createUserFiles } from "./script_files.ts";

Deno.test(...needsUsers("createUserFiles() follows no link that the user has made"), async () => {
  await using account = await createTestUser();
  await using folder = await createTempFolder();
  const parent = `${folder.path}/script`;
  const target = `${folder.path}/of-root`;
  await Deno.mkdir(parent, { mode: 0o700 });
  await Deno.writeTextFile(target, "root's");
  const user = { ...account, shell: "", groups: [], setpriv: "", processEnv: {} };
  const files = await createUserFiles(parent, user);

  await Deno.symlink(target, `${files.path}/script.sh`);
  await Deno.link(target, `${files.path}/settings`);
  await files.write("script.sh", "user's");
  await files.write("settings", "user's");

  strictEqual(await Deno.readTextFile(target), "root's");
  strictEqual((await Deno.stat(target)).uid, 0);
  for (const name of ["script.sh", "settings"]) {
    const { uid, gid, mode, isSymlink } = await Deno.lstat(`${files.path}/${name}`);
    deepStrictEqual([uid, gid, (mode ?? 0) & 0o777, isSymlink], [user.uid, user.gid, 0o600, false]);
  }
  await Deno.mkdir(`${files.path}/in-the-way`);
  await rejects(files.write("in-the-way", "user's"));
});

Deno.test(
  ...needsUsers("createUserFiles() creates a folder that the user can't replace"),
  async () => {
    await using account = await createTestUser();
    await using folder = await createTempFolder();
    const user = { ...account, shell: "", groups: [], setpriv: "", processEnv: {} };
    const { path } = await createUserFiles(folder.path, user);
    const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
    const script =
      `touch ${path}/new && ! mv ${path} ${path}2 && ! rmdir ${path} && ! ls ${folder.path}`;
    const { code } = await new Deno.Command("setpriv", {
      args: [...ids, "sh", "-c", script],
      stderr: "null",
    }).output();
    strictEqual(code, 0);
    deepStrictEqual([...Deno.readDirSync(path)].map(({ name }) => name), ["new"]);
  },
);
