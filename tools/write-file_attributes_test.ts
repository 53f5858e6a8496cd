import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { refusalOf } from "../mcp_server/testing/call_tool.ts";
import { callToolInProcess, NOBODY } from "../mcp_server/testing/call_tool_in_process.ts";
import { needsRoot } from "../mcp_server/testing/needs_root.ts";
import { createFile, createWriteTool, modeOf, namesIn } from "../mcp_server/testing/write_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import writeFile from "./write-file.ts";

const tool = createWriteTool(writeFile);
const root = Deno.uid() === 0;
const umask = Deno.umask();

Deno.test("write-file keeps an existing file's mode and creates a new one with the usual mode", async (t) => {
  await using folder = await createTempFolder();
  for (const mode of [0o600, 0o666, 0o755, 0o777, 0o4755, 0o2755, 0o1644, 0o7711]) {
    await t.step(mode.toString(8), async () => {
      const path = `${folder.path}/${mode}`;
      await createFile(path, mode);
      await tool.write({ path, content: "new" });
      strictEqual(modeOf(path), mode.toString(8).padStart(4, "0"));
    });
  }
  await tool.write({ path: `${folder.path}/new`, content: "" });
  strictEqual(modeOf(`${folder.path}/new`), `0${(0o666 & ~umask).toString(8)}`);
});

Deno.test("write-file sets the same mode as chmod", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const cases: [before: number, chmod: string, after: string][] = [
    [0o644, "0600", "0600"],
    [0o644, "755", "0755"],
    [0o4755, "0755", "0755"],
    [0o644, "4711", "4711"],
    [0o644, "u+x,go-r", "0700"],
    [0o750, "g+s,o=rX", "2755"],
    [0o4755, "a=rX", "0555"],
  ];
  for (const [before, chmod, after] of cases) {
    await t.step(`${before.toString(8)} ${chmod}`, async () => {
      await createFile(path, before);
      await tool.write({ path, content: "new", chmod });
      strictEqual(modeOf(path), after);
    });
  }
  await tool.write({ path: `${folder.path}/new`, content: "", chmod: "u=rwx,go=" });
  strictEqual(modeOf(`${folder.path}/new`), "0700");
});

Deno.test(...needsRoot("write-file keeps owner and group unless given"), async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const cases: [args: object, uid: number, gid: number][] = [
    [{}, 1234, 4321],
    [{ owner: "root" }, 0, 4321],
    [{ group: "root" }, 1234, 0],
    [{ owner: "55", group: 4294967294 }, 55, 4294967294],
    [{ owner: 0, group: "0" }, 0, 0],
  ];
  for (const [args, uid, gid] of cases) {
    await t.step(JSON.stringify(args), async () => {
      await Deno.writeTextFile(path, "old");
      await Deno.chown(path, 1234, 4321);
      await Deno.chmod(path, 0o6755);
      await tool.write({ path, content: "new", ...args });
      const now = await Deno.stat(path);
      deepStrictEqual([now.uid, now.gid, modeOf(path)], [uid, gid, "6755"]);
    });
  }
});

Deno.test(
  "write-file creates a new file with the group of a setgid folder",
  { ignore: !root },
  async () => {
    await using folder = await createTempFolder();
    await Deno.chown(folder.path, null, 4321);
    await Deno.chmod(folder.path, 0o2755);
    await tool.write({ path: `${folder.path}/file`, content: "" });
    strictEqual((await Deno.stat(`${folder.path}/file`)).gid, 4321);
  },
);

Deno.test("write-file checks owner, group and chmod before it writes", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/sub/file`;
  const cases: [args: object, code: string, message: RegExp][] = [
    [{ owner: "no-such-user" }, "UNKNOWN_USER", /^Cannot use the user "no-such-user": /],
    [{ group: "no-such-group" }, "UNKNOWN_GROUP", /^Cannot use the group "no-such-group": /],
    [{ owner: -1 }, "UNKNOWN_USER", /^Cannot use the user "-1"/],
    [{ owner: 4294967295 }, "UNKNOWN_USER", /^Cannot use the user "4294967295"/],
    [{ owner: "root:root" }, "UNKNOWN_USER", /^Cannot use the user "root:root"/],
    [{ chmod: "0999" }, "INVALID_MODE", /^Cannot use chmod "0999": it is neither octal such as /],
    [{ chmod: "" }, "INVALID_MODE", /^Cannot use chmod ""/],
    [{ chmod: 0o644 }, "INVALID_ARGUMENTS", /^chmod: /],
  ];
  for (const [args, code, message] of cases) {
    await t.step(JSON.stringify(args), async () => {
      const refusal = await tool.refusal({ path, content: "", createParents: true, ...args });
      strictEqual(refusal.code, code);
      match(refusal.message, message);
      deepStrictEqual(namesIn(folder.path), []);
    });
  }
});

Deno.test(...needsRoot("write-file as nobody reports what its user may not do"), async (t) => {
  await using folder = await createTempFolder();
  const own = `${folder.path}/own`;
  await Deno.mkdir(own);
  await createFile(`${own}/of-root`, 0o666);
  await createFile(`${own}/read-only`, 0o444);
  await createFile(`${folder.path}/alone`, 0o666);
  for (const path of [own, `${own}/read-only`, `${folder.path}/alone`]) {
    await Deno.chown(path, NOBODY, NOBODY);
  }
  const cases: [name: string, args: object, code: string, message: RegExp][] = [
    ["own/of-root", {}, "OWNER_REFUSED", /with owner 0 and group 0: .+ such as 65534 and 65534$/],
    ["own/new", { owner: "root" }, "OWNER_REFUSED", /with owner 0 and group 65534: /],
    ["own/new", { group: 0 }, "OWNER_REFUSED", /with owner 65534 and group 0: /],
    ["own/read-only", {}, "ACCESS_DENIED", /the server's user has no permission for it$/],
    ["alone", {}, "ACCESS_DENIED", /can't create files in its folder, .+ write it in place$/],
    ["new", {}, "ACCESS_DENIED", /can't create files in its folder/],
    ["new/new", { createParents: true }, "ACCESS_DENIED", /no permission/],
  ];
  const calls = cases.map(([name, args]) => ({
    path: `${folder.path}/${name}`,
    content: "new",
    ...args,
  }));
  const outcomes = await callToolInProcess("write-file", calls, { asNobody: true });
  strictEqual(outcomes.length, cases.length);
  for (const [at, outcome] of outcomes.entries()) {
    const [name, args, code, message] = cases[at] ?? ["", {}, "", /^/];
    await t.step(`${name} ${JSON.stringify(args)}`, () => {
      const refusal = refusalOf(outcome);
      strictEqual(refusal.code, code);
      match(refusal.message, message);
    });
  }
  deepStrictEqual(namesIn(own), ["of-root", "read-only"]);
  deepStrictEqual(namesIn(folder.path), ["alone", "own"]);
  for (const name of ["own/of-root", "own/read-only", "alone"]) {
    strictEqual(await Deno.readTextFile(`${folder.path}/${name}`), "old");
  }
});

Deno.test(...needsRoot("write-file as nobody writes what its user may"), async () => {
  await using folder = await createTempFolder();
  await Deno.chown(folder.path, NOBODY, NOBODY);
  await createFile(`${folder.path}/of-root`, 0o666);
  await createFile(`${folder.path}/own`, 0o751);
  await Deno.chown(`${folder.path}/own`, NOBODY, NOBODY);
  await Deno.chmod(`${folder.path}/own`, 0o4751);
  const calls = [
    { path: `${folder.path}/of-root`, content: "new", owner: NOBODY, group: NOBODY },
    { path: `${folder.path}/own`, content: "new" },
  ];
  const done = calls.map(({ path }) => ({ ok: true, output: { path, bytesWritten: 3 } }));
  deepStrictEqual(await callToolInProcess("write-file", calls, { asNobody: true }), done);
  strictEqual((await Deno.stat(`${folder.path}/of-root`)).uid, NOBODY);
  strictEqual(modeOf(`${folder.path}/own`), "4751");
  strictEqual(await Deno.readTextFile(`${folder.path}/own`), "new");
});
