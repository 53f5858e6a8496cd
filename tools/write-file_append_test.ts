import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { needsRoot } from "../mcp_server/testing/needs_root.ts";
import { createFile, createWriteTool, modeOf, namesIn } from "../mcp_server/testing/write_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import editFile from "./edit-file.ts";
import { callTool } from "../mcp_server/testing/call_tool.ts";
import writeFile from "./write-file.ts";

const tool = createWriteTool(writeFile);
const append = true;

Deno.test("write-file with append adds to the end, and creates a missing file", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/new/log`;
  strictEqual(await tool.write({ path, content: "é", append, createParents: true }), 2);
  strictEqual(await tool.write({ path, content: "/wA=", encoding: "base64", append }), 2);
  strictEqual(await tool.write({ path, content: "", append }), 0);
  deepStrictEqual([...await Deno.readFile(path)], [0xc3, 0xa9, 0xff, 0]);
  strictEqual(modeOf(path), (0o666 & ~Deno.umask()).toString(8).padStart(4, "0"));
  strictEqual(await tool.write({ path, content: "whole", append: false }), 5);
  strictEqual(await Deno.readTextFile(path), "whole");
  deepStrictEqual(namesIn(`${folder.path}/new`), ["log"]);
});

Deno.test("write-file with append keeps the file itself, its mode and its other names", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/log`;
  await createFile(path, 0o4640, "a\n");
  const { ino } = await Deno.stat(path);
  await Deno.link(path, `${folder.path}/other`);
  await Deno.symlink("log", `${folder.path}/link`);
  await tool.write({ path: `${folder.path}/link`, content: "b\n", append });
  deepStrictEqual([modeOf(path), (await Deno.stat(path)).ino], ["4640", ino]);
  strictEqual(await Deno.readTextFile(`${folder.path}/other`), "a\nb\n");
  await tool.write({ path, content: "c\n", append, chmod: "0600" });
  deepStrictEqual([modeOf(path), await Deno.readTextFile(path)], ["0600", "a\nb\nc\n"]);
});

Deno.test("write-file with append mixes no lines of many writers, nor of another program", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/log`;
  const script = `i=0; while [ ! -e "$0.end" ]; do i=$((i+1)); echo "program $i" >> "$0"; done`;
  const program = new Deno.Command("sh", { args: ["-c", script, path] }).output();
  const names = Array.from({ length: 10 }, (_, at) => `${at}${at}`);
  const line = (name: string) => name.repeat(100_000);
  for (const name of names) await tool.write({ path, content: `${line(name)}\n`, append });
  await Promise.all(
    names.map((name) => tool.write({ path, content: `${line(name)}\n`, append })),
  );
  await Deno.writeTextFile(`${path}.end`, "");
  await program;
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
  const ours = lines.filter((text) => !text.startsWith("program "));
  deepStrictEqual(ours.toSorted(), [...names, ...names].map(line).toSorted());
  const numbers = lines.filter((text) => text.startsWith("program ")).map((text) => text.slice(8));
  deepStrictEqual(numbers, numbers.map((_, at) => `${at + 1}`));
});

Deno.test("write-file with append and edit-file at once lose nothing", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/log`;
  await Deno.writeTextFile(path, "first\n");
  const edit = () =>
    callTool(editFile, "edit-file", { path, edits: [{ old: "first", new: "FIRST" }] });
  const [edited] = await Promise.all([
    edit(),
    ...Array.from({ length: 20 }, (_, at) => tool.write({ path, content: `${at}\n`, append })),
  ]);
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
  const first = edited.ok ? "FIRST" : "first";
  deepStrictEqual(
    new Set(lines),
    new Set([first, ...Array.from({ length: 20 }, (_, at) => `${at}`)]),
  );
});

Deno.test("write-file with append writes no folder, FIFO, or path of others", async () => {
  await using folder = await createTempFolder();
  const { path: at } = folder;
  await new Deno.Command("mkfifo", { args: [`${at}/fifo`] }).output();
  for (const path of [at, `${at}/fifo`]) {
    strictEqual((await tool.refusal({ path, content: "x", append })).code, "NOT_A_FILE");
  }
  const missing = await tool.refusal({ path: `${at}/no/file`, content: "x", append });
  strictEqual(missing.code, "NO_FOLDER");
  await Deno.mkdir(`${at}/srv`);
  await Deno.writeTextFile(`${at}/secret`, "old");
  await Deno.symlink("../secret", `${at}/srv/link`);
  await Deno.symlink("../absent", `${at}/srv/dangling`);
  const caller = boundedCaller({ paths: [`${await Deno.realPath(at)}/srv/**`] });
  for (const name of ["link", "dangling", "../secret"]) {
    const { code } = await tool.refusal({ path: `${at}/srv/${name}`, content: "x", append }, {
      caller,
    });
    strictEqual(code, "NOT_ALLOWED", name);
  }
  strictEqual(await Deno.readTextFile(`${at}/secret`), "old");
  const path = `${at}/srv/a/b/log`;
  await tool.write({ path, content: "1", append, createParents: true }, { caller });
  await tool.write({ path, content: "2", append }, { caller });
  strictEqual(await Deno.readTextFile(path), "12");
  deepStrictEqual(namesIn(at), ["fifo", "secret", "srv"]);
});

Deno.test(
  ...needsRoot("write-file with append leaves a file as it was if the disk is full"),
  async () => {
    await using folder = await createTempFolder();
    const { path: at } = folder;
    const run = (program: string, ...args: string[]) =>
      new Deno.Command(program, { args }).output();
    await run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", at);
    try {
      const path = `${at}/log`;
      await Deno.writeTextFile(path, "old");
      const { code, message } = await tool.refusal({ path, content: "x".repeat(100_000), append });
      strictEqual(code, "NO_SPACE");
      match(message, /^Cannot write ".+": no space is left/);
      strictEqual(await Deno.readTextFile(path), "old");
    } finally {
      await run("umount", at);
    }
  },
);
