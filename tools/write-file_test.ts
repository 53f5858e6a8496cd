import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { registerTool } from "../mcp_server/testing/call_tool.ts";
import { callToolInProcess } from "../mcp_server/testing/call_tool_in_process.ts";
import { createFile, createWriteTool, modeOf, namesIn } from "../mcp_server/testing/write_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import writeFile from "./write-file.ts";

const tool = createWriteTool(writeFile);
const root = Deno.uid() === 0;
const umask = Deno.umask();
const PLAIN_FLAGS = ["--allow-read", "--allow-write", "--allow-run", "--allow-env", "--allow-sys"];

Deno.test("write-file is described in less than 1.5 kB", async () => {
  const { definition } = await registerTool(writeFile, "write-file");
  ok(JSON.stringify({ ...definition, icons: undefined }).length < 1_500);
  deepStrictEqual(definition.annotations, {
    title: "Write a file",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  });
});

Deno.test("write-file writes every byte of the content and returns their number", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const contents = ["", "a\r\nb\n", "𝄞é€", "\uFEFFmark", "nul\0", "a".repeat(3 * 1024 * 1024 + 1)];
  for (const content of contents) {
    await t.step(JSON.stringify(content.slice(0, 20)), async () => {
      const bytes = new TextEncoder().encode(content);
      strictEqual(await tool.write({ path, content }), bytes.length);
      deepStrictEqual(await Deno.readFile(path), bytes);
    });
  }
  deepStrictEqual(namesIn(folder.path), ["file"]);
});

Deno.test("write-file decodes base64", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const bytes = crypto.getRandomValues(new Uint8Array(10_000));
  strictEqual(
    await tool.write({ path, content: bytes.toBase64(), encoding: "base64" }),
    bytes.length,
  );
  deepStrictEqual(await Deno.readFile(path), bytes);
  strictEqual(await tool.write({ path, content: "", encoding: "base64" }), 0);
});

Deno.test("write-file rejects content that does not encode bytes, and leaves the file unchanged", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  await Deno.writeTextFile(path, "old");
  const contents = ["AQI", "AQJ=", "A", "AQI==", "-_==", "AQ\nI=", " AQI=", "AQI=AQI=", "=", "é"];
  for (const content of contents) {
    await t.step(JSON.stringify(content), async () => {
      const { code, message } = await tool.refusal({ path, content, encoding: "base64" });
      strictEqual(code, "INVALID_CONTENT");
      match(message, /^Cannot decode "content": it is not base64 /);
    });
  }
  for (const content of ["\uD800", "a\uDC00b"]) {
    await t.step(JSON.stringify(content), async () => {
      const { code, message } = await tool.refusal({ path, content });
      strictEqual(code, "INVALID_CONTENT");
      match(message, /^Cannot encode "content": it holds half of a surrogate pair; .+ base64$/);
    });
  }
  strictEqual(await Deno.readTextFile(path), "old");
});

Deno.test("write-file replaces the old file with a new one", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  await Deno.writeTextFile(path, "old");
  using reader = await Deno.open(path);
  await tool.write({ path, content: "new" });
  strictEqual(await Deno.readTextFile(path), "new");
  strictEqual(await new Response(reader.readable).text(), "old");
  deepStrictEqual(namesIn(folder.path), ["file"]);
});

Deno.test("write-file writes the target of a symbolic link and keeps the link", async (t) => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await Deno.mkdir(`${path}/far/away`, { recursive: true });
  await Deno.symlink("far/away", `${path}/short`);
  const cases: [link: string, to: string, target: string][] = [
    ["absolute", `${path}/one`, "one"],
    ["relative", "far/two", "far/two"],
    ["chain", "absolute", "one"],
    ["through", "short/../three", "far/three"],
    ["short/up", "../four", "far/four"],
  ];
  for (const [link, to, target] of cases) {
    await Deno.symlink(to, `${path}/${link}`);
    for (const content of ["created by a dangling link", "written"]) {
      await t.step(`${link}, ${content}`, async () => {
        await tool.write({ path: `${path}/${link}`, content });
        strictEqual(await Deno.readTextFile(`${path}/${target}`), content);
        strictEqual(await Deno.readLink(`${path}/${link}`), to);
      });
    }
    if (link !== "absolute") await Deno.remove(`${path}/${target}`);
  }
});

Deno.test("write-file writes a file with several hard links in place", async (t) => {
  await using folder = await createTempFolder();
  const [path, twin] = [`${folder.path}/one`, `${folder.path}/two`];
  await createFile(path, 0o640, "a longer old content");
  await Deno.link(path, twin);
  const { ino } = await Deno.stat(path);
  for (const content of ["short", "much longer than the old content", "", "x"]) {
    await t.step(JSON.stringify(content), async () => {
      strictEqual(await tool.write({ path, content }), content.length);
      strictEqual(await Deno.readTextFile(twin), content);
    });
  }
  strictEqual(modeOf(twin), "0640");
  await tool.write({
    path,
    content: "",
    chmod: "4600",
    ...(root ? { owner: 1234, group: 4321 } : {}),
  });
  const now = await Deno.stat(twin);
  deepStrictEqual([now.ino, now.nlink, modeOf(twin)], [ino, 2, "4600"]);
  if (root) deepStrictEqual([now.uid, now.gid], [1234, 4321]);
  deepStrictEqual(namesIn(folder.path), ["one", "two"]);
});

Deno.test("write-file creates missing folders only on request", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/a/b/file`;
  const { code, message } = await tool.refusal({ path, content: "" });
  strictEqual(code, "NO_FOLDER");
  match(message, /its folder ".+\/a\/b" does not exist; use "createParents": true to create it$/);
  deepStrictEqual(namesIn(folder.path), []);
  await tool.write({ path, content: "new", createParents: true });
  strictEqual(await Deno.readTextFile(path), "new");
  strictEqual(modeOf(`${folder.path}/a/b`), `0${(0o777 & ~umask).toString(8)}`);
});

Deno.test("write-file removes the folders that it created if it fails, and no others", async () => {
  await using folder = await createTempFolder();
  await Deno.mkdir(`${folder.path}/a`);
  const path = `${folder.path}/a/b/c/${"x".repeat(256)}`;
  const { code } = await tool.refusal({ path, content: "new", createParents: true });
  strictEqual(code, "INVALID_PATH");
  deepStrictEqual(namesIn(folder.path), ["a"]);
  deepStrictEqual(namesIn(`${folder.path}/a`), []);
});

Deno.test("write-file creates the same folders for many calls at once", async () => {
  await using folder = await createTempFolder();
  const paths = Array.from({ length: 50 }, (_, at) => `${folder.path}/a/b/c/${at}`);
  await Promise.all(paths.map((path) => tool.write({ path, content: path, createParents: true })));
  for (const path of paths) strictEqual(await Deno.readTextFile(path), path);
});

Deno.test("write-file reports immediately why a path can't be written", async (t) => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await Deno.writeTextFile(`${path}/file`, "old");
  await Deno.symlink("loop", `${path}/loop`);
  await Deno.symlink("/", `${path}/root`);
  await Deno.symlink("none/", `${path}/to-folder`);
  await new Deno.Command("mkfifo", { args: [`${path}/fifo`] }).output();
  using _listener = Deno.listen({ transport: "unix", path: `${path}/socket` });
  const names = namesIn(path);
  const cases: [path: string, code: string, state: RegExp][] = [
    [path, "NOT_A_FILE", /it is a folder, not a regular file/],
    [`${path}/root`, "NOT_A_FILE", /it is a folder/],
    [`${path}/fifo`, "NOT_A_FILE", /it is a FIFO/],
    [`${path}/socket`, "NOT_A_FILE", /it is a socket/],
    ["/dev/null", "NOT_A_FILE", /it is a device/],
    [`${path}/new/`, "NOT_A_FILE", /the path names a folder; add a file name$/],
    [`${path}/to-folder`, "NOT_A_FILE", /the path names a folder/],
    [`${path}/file/`, "NOT_FOUND", /a part of its path is a file/],
    [`${path}/file/x/y`, "NOT_FOUND", /a part of its path is a file/],
    [`${path}/loop`, "INVALID_PATH", /circle$/],
    [`${path}/${"x".repeat(256)}`, "INVALID_PATH", /too long$/],
    [`${path}/a\0b`, "INVALID_PATH", /NUL/],
    [`${path}/\uDC00`, "INVALID_PATH", /surrogate/],
    [
      "no-such-folder/x",
      "NO_FOLDER",
      new RegExp(`^Cannot write "${Deno.cwd()}/no-such-folder/x": `),
    ],
    ["/proc/none", "ACCESS_DENIED|NOT_FOUND", /^Cannot write "\/proc\/none": /],
    ["", "INVALID_ARGUMENTS", /^path: /],
  ];
  for (const [file, code, state] of cases) {
    await t.step(JSON.stringify(file.slice(0, 80)), async () => {
      const refusal = await tool.refusal({ path: file, content: "new" });
      match(refusal.code, new RegExp(`^(${code})$`));
      match(refusal.message, state);
      deepStrictEqual(namesIn(path), names);
    });
  }
});

Deno.test("write-file uses hostile names unchanged", async (t) => {
  await using folder = await createTempFolder();
  const names = ["a\nb", '"', "'$(id)`id`", "-rf", " ", "~", "é\u0301", "*?[a]", "\\", "\x1b[31m"];
  for (const name of [...names, "n".repeat(255)]) {
    await t.step(JSON.stringify(name.slice(0, 20)), async () => {
      await tool.write({ path: `${folder.path}/${name}`, content: name });
      deepStrictEqual(namesIn(folder.path), [name]);
      await Deno.remove(`${folder.path}/${name}`);
    });
  }
});

Deno.test("write-file checks its arguments", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const cases: object[] = [
    { path },
    { content: "" },
    { path, content: 1 },
    { path, content: "", encoding: "hex" },
    { path, content: "", owner: null },
    { path, content: "", createParents: "yes" },
    { path, content: "", mode: "0644" },
  ];
  for (const args of cases) {
    await t.step(JSON.stringify(args).replace(folder.path, ""), async () => {
      strictEqual((await tool.refusal(args)).code, "INVALID_ARGUMENTS");
    });
  }
  deepStrictEqual(namesIn(folder.path), []);
});

Deno.test("write-file works with explicit permissions", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/a/file`;
  const calls = [{ path, content: "new", chmod: "u+x", createParents: true }];
  deepStrictEqual(await callToolInProcess("write-file", calls, { flags: PLAIN_FLAGS }), [
    { ok: true, output: { path, bytesWritten: 3 } },
  ]);
  strictEqual(await Deno.readTextFile(path), "new");
});
