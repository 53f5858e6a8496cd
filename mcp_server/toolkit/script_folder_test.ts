import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { ToolError } from "../shared/error.ts";
import { needsRoot } from "../testing/needs_root.ts";
import { createTestLog } from "../testing/test_runner.ts";
import { createTestUser, needsUsers } from "../testing/test_user.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import {
  createScriptFolder,
  createUserFiles,
  sharedFolderAbove,
  sweepFolder,
  toTempFolderError,
} from "./script_folder.ts";

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

Deno.test("createScriptFolder() creates a folder and files that nobody else can read", async () => {
  await using temp = await createTempFolder();
  const log = createTestLog();
  {
    await using folder = await createScriptFolder(temp.path, log);
    await folder.write("script.sh", "echo");
    strictEqual((await Deno.stat(folder.path)).mode! & 0o777, 0o700);
    strictEqual((await Deno.stat(`${folder.path}/script.sh`)).mode! & 0o777, 0o600);
    const handle = await folder.openHandle();
    strictEqual(await Deno.readTextFile(`${handle}/script.sh`), "echo");
  }
  deepStrictEqual(names(temp.path), []);
  deepStrictEqual(log.lines, []);
});

Deno.test("createScriptFolder() leaves no file open", async () => {
  await using temp = await createTempFolder();
  const open = () => names("/proc/self/fd").length;
  const use = async () => {
    await using folder = await createScriptFolder(temp.path, createTestLog());
    await folder.openHandle();
  };
  await use();
  const before = open();
  for (let i = 0; i < 20; i++) await use();
  strictEqual(open(), before);
});

Deno.test("createScriptFolder() tolerates that a script removed its folder", async () => {
  await using temp = await createTempFolder();
  const log = createTestLog();
  const folder = await createScriptFolder(temp.path, log);
  await Deno.remove(folder.path);
  await folder[Symbol.asyncDispose]();
  deepStrictEqual(log.lines, []);
});

const UNUSABLE: Record<string, [create: (path: string) => Promise<void>, state: RegExp]> = {
  "is missing": [() => Promise.resolve(), /: it does not exist; create it, or set TMPDIR$/],
  "is a file": [(path) => Deno.writeTextFile(path, ""), /: it is not a folder; set TMPDIR to one$/],
};

for (const [what, [create, state]] of Object.entries(UNUSABLE)) {
  Deno.test(`createScriptFolder() rejects a temporary folder that ${what}`, async () => {
    await using place = await createTempFolder();
    const temp = `${place.path}/temp`;
    await create(temp);
    await rejects(createScriptFolder(temp, createTestLog()), (error) => {
      ok(error instanceof ToolError);
      strictEqual(error.code, "TEMP_FOLDER_UNUSABLE");
      ok(error.message.startsWith(`Cannot use the temporary folder "${temp}": `));
      match(error.message, state);
      return true;
    });
  });
}

Deno.test("sweepFolder() removes the folders of servers that were killed, and no others", async () => {
  await using temp = await createTempFolder();
  const log = createTestLog();
  await using live = await createScriptFolder(temp.path, log);
  await live.write("script.sh", "echo live");
  await Deno.mkdir(`${temp.path}/trestle-script-dead`, { mode: 0o700 });
  await Deno.writeTextFile(`${temp.path}/trestle-script-dead/script.sh`, "secret");
  await Deno.mkdir(`${temp.path}/trestle-notes`);
  await Deno.symlink("/usr", `${temp.path}/trestle-script-link`);

  await sweepFolder(temp.path, log);

  deepStrictEqual(
    names(temp.path).sort(),
    [live.path.slice(temp.path.length + 1), "trestle-notes", "trestle-script-link"].sort(),
  );
  strictEqual(await Deno.readTextFile(`${live.path}/script.sh`), "echo live");
  deepStrictEqual(log.lines.map(({ level }) => level), ["info"]);
});

Deno.test(...needsRoot("sweepFolder() leaves the folders of other users alone"), async () => {
  await using temp = await createTempFolder();
  await Deno.mkdir(`${temp.path}/trestle-script-other`);
  await Deno.chown(`${temp.path}/trestle-script-other`, 65_534, 65_534);
  await sweepFolder(temp.path, createTestLog());
  deepStrictEqual(names(temp.path), ["trestle-script-other"]);
});

Deno.test("createScriptFolder() is never taken for abandoned while servers start", async () => {
  await using temp = await createTempFolder();
  const log = createTestLog();
  const sweeps = Array.from({ length: 20 }, () => sweepFolder(temp.path, log));
  const scripts = Array.from({ length: 50 }, async () => {
    await using folder = await createScriptFolder(temp.path, log);
    await folder.write("script.sh", "echo");
    await sweepFolder(temp.path, log);
    strictEqual(await Deno.readTextFile(`${folder.path}/script.sh`), "echo");
  });
  await Promise.all([...sweeps, ...scripts]);
  deepStrictEqual(names(temp.path), []);
});

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

const STATES = {
  ENOSPC: "its disk is full; remove files from it, or set TMPDIR",
  EROFS: "its file system is read-only; set TMPDIR to another one",
  EACCES: "the server's user may not write to it; change its mode, or set TMPDIR",
};

for (const [code, state] of Object.entries(STATES)) {
  Deno.test(`toTempFolderError() describes ${code}`, () => {
    const { message } = toTempFolderError("/t", Object.assign(new Error("os"), { code }));
    strictEqual(message, `Cannot use the temporary folder "/t": ${state}`);
  });
}

Deno.test("toTempFolderError() repeats the text of an unknown error", () => {
  const { message } = toTempFolderError("/t", new Error("Too many open files (os error 24)"));
  strictEqual(message, 'Cannot use the temporary folder "/t": Too many open files (os error 24)');
});

Deno.test("sharedFolderAbove() finds the folder that other users may write to", async () => {
  await using temp = await createTempFolder();
  const inner = `${temp.path}/shared/private`;
  await Deno.mkdir(inner, { recursive: true });
  await Deno.chmod(`${temp.path}/shared`, 0o1777);
  strictEqual(await sharedFolderAbove(`${inner}/script.js`), `${temp.path}/shared`);
  strictEqual(await sharedFolderAbove("/usr/bin/script.js"), undefined);
});

Deno.test(...needsRoot("sharedFolderAbove() finds the folder of another user"), async () => {
  await using temp = await createTempFolder();
  await Deno.chown(temp.path, 65_534, 65_534);
  strictEqual(await sharedFolderAbove(`${temp.path}/script.js`), temp.path);
});
