import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import {
  callTool,
  type CallToolOptions,
  outputOf,
  refusalOf,
  registerTool,
} from "../mcp_server/testing/call_tool.ts";
import { modeOf, namesIn } from "../mcp_server/testing/write_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import editFile from "./edit-file.ts";

const call = (args: object, options?: CallToolOptions) =>
  callTool(editFile, "edit-file", args, options);
const edit = async (args: object) => outputOf(await call(args));
const refusal = async (args: object) => refusalOf(await call(args));

async function withFile(content: string | Uint8Array) {
  const folder = await createTempFolder();
  const path = `${folder.path}/a.txt`;
  await Deno.writeFile(
    path,
    typeof content === "string" ? new TextEncoder().encode(content) : content,
  );
  return { path, folder: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

Deno.test("edit-file is described in less than 1 kB", async () => {
  const { definition } = await registerTool(editFile, "edit-file");
  ok(
    JSON.stringify({ ...definition, icons: undefined }).length < 1_000,
    `${JSON.stringify({ ...definition, icons: undefined }).length}`,
  );
  deepStrictEqual(definition.annotations, {
    title: "Edit a file",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  });
});

Deno.test("edit-file writes all edits, and answers with the difference", async () => {
  await using file = await withFile("one\ntwo\nthree\n");
  const { path } = file;
  await Deno.chmod(path, 0o640);
  const edits = [{ old: "two", new: "2" }, { old: "three", new: "3" }];
  deepStrictEqual(await edit({ path, edits }), {
    path,
    edits: 2,
    diff: `--- ${path}\n+++ ${path}\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n`,
  });
  strictEqual(await Deno.readTextFile(path), "one\n2\n3\n");
  strictEqual(modeOf(path), "0640");
  deepStrictEqual(namesIn(file.folder), ["a.txt"]);
});

Deno.test("edit-file writes nothing if one edit fails, or for a dry run", async () => {
  await using file = await withFile("one\r\ntwo\r\ntwo\r\n");
  const { path } = file;
  const inode = () => Deno.statSync(path).ino;
  const before = inode();
  const first = { old: "one\n", new: "1\n" };
  const { code, message } = await refusal({ path, edits: [first, { old: "two", new: "2" }] });
  strictEqual(code, "AMBIGUOUS");
  match(message, /^Cannot edit ".+": "old" of edit 2 is there 2 times, on lines 2, 3; /);
  strictEqual((await refusal({ path, edits: [{ old: "four", new: "4" }] })).code, "NO_MATCH");
  match(String((await edit({ path, edits: [first], dryRun: true })).diff), /^-one\r\n\+1\r$/m);
  strictEqual(await Deno.readTextFile(path), "one\r\ntwo\r\ntwo\r\n");
  strictEqual(inode(), before);
});

Deno.test("edit-file follows links, and keeps all names of a file", async () => {
  await using file = await withFile("old");
  const link = `${file.folder}/link`;
  const other = `${file.folder}/other`;
  await Deno.symlink("a.txt", link);
  await edit({ path: link, edits: [{ old: "old", new: "new" }] });
  ok(Deno.lstatSync(link).isSymlink);
  await Deno.link(file.path, other);
  await edit({ path: other, edits: [{ old: "new", new: "newer" }] });
  strictEqual(await Deno.readTextFile(file.path), "newer");
  strictEqual(Deno.statSync(file.path).nlink, 2);
});

Deno.test("edit-file refuses what it can't edit, and says what to do", async (t) => {
  await using file = await withFile(new Uint8Array([0x61, 0xff]));
  await using large = await withFile("a".repeat(2_000_000) + "b");
  const edits = [{ old: "a", new: "b" }];
  const cases: [name: string, path: string, edits: object[], code: string, message: RegExp][] = [
    [
      "a missing file",
      `${file.folder}/none`,
      edits,
      "NOT_FOUND",
      /^Cannot edit ".+": it does not exist; check the path$/,
    ],
    ["a folder", file.folder, edits, "NOT_A_FILE", /it is a folder, not a regular file/],
    [
      "bytes",
      file.path,
      edits,
      "NOT_UTF8",
      /^Cannot edit ".+": its bytes are not UTF-8; use a command/,
    ],
    [
      "half a character",
      large.path,
      [{ old: "b", new: "\ud800" }],
      "INVALID_CONTENT",
      /half of a surrogate pair$/,
    ],
  ];
  for (const [name, path, edits, expected, text] of cases) {
    await t.step(name, async () => {
      const { code, message } = await refusal({ path, edits });
      strictEqual(code, expected, message);
      match(message, text);
    });
  }
  await t.step("a large file", async () => {
    const outcome = await call({ path: large.path, edits: [{ old: "b", new: "c" }] }, {
      limits: { maxFileBytes: 1_000_000 },
    });
    strictEqual(refusalOf(outcome).code, "TOO_LARGE");
  });
});

Deno.test("edit-file: of two editors at once none loses what it wrote", async () => {
  await using file = await withFile("0\n".repeat(20));
  const { path } = file;
  const text = Array.from({ length: 20 }, (_, at) => `line ${at};\n`).join("");
  await Deno.writeTextFile(path, text);
  const outcomes = await Promise.all(
    Array.from(
      { length: 8 },
      (_, at) => call({ path, edits: [{ old: `line ${at};`, new: `edited ${at};` }] }),
    ),
  );
  const after = await Deno.readTextFile(path);
  for (const [at, outcome] of outcomes.entries()) {
    strictEqual(after.includes(`edited ${at};`), outcome.ok, `edit ${at}`);
    if (!outcome.ok) strictEqual(outcome.refusal.code, "CONFLICT");
  }
  ok(outcomes.some(({ ok }) => ok));
  strictEqual(after.split("\n").length, 21);
  deepStrictEqual(namesIn(file.folder), ["a.txt"]);
});
