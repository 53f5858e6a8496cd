import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { callToolInProcess } from "../mcp_server/testing/call_tool_in_process.ts";
import { createReadTool } from "../mcp_server/testing/read_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import readFile from "./read-file.ts";

const tool = createReadTool(readFile);
const MIB = 1024 * 1024;
const PLAIN_FLAGS = ["--allow-read", "--allow-write", "--allow-run", "--allow-env", "--allow-sys"];

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  ok(success, new TextDecoder().decode(stderr));
}

function openFiles(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it took more than ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

Deno.test("read-file rejects immediately whatever is not a regular file", async (t) => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await run("mkfifo", `${path}/fifo`);
  await Deno.symlink("fifo", `${path}/link`);
  using _listener = Deno.listen({ transport: "unix", path: `${path}/socket` });
  const kinds: [path: string, kind: string][] = [
    [`${path}/fifo`, "a FIFO"],
    [`${path}/link`, "a FIFO"],
    [`${path}/socket`, "a socket"],
    [path, "a folder"],
    ["/", "a folder"],
    ["/dev/zero", "a device"],
    ["/dev/tty", "a device"],
  ];
  for (const [file, kind] of kinds) {
    await t.step(file.replace(path, ""), async () => {
      const { code, message } = await tool.refusal({ path: file });
      strictEqual(code, "NOT_A_FILE");
      strictEqual(
        message,
        `Cannot read "${file}": it is ${kind}, not a regular file; use a command for it`,
      );
    });
  }
});

Deno.test("read-file never waits for a FIFO that replaces a file", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/now`;
  await run("mkfifo", `${folder.path}/fifo`);
  await Deno.writeTextFile(`${folder.path}/file`, "text");
  await Deno.symlink("file", path);
  const openBefore = openFiles();
  let going = true;
  const swapping = (async () => {
    for (let turn = 0; going; turn++) {
      Deno.symlinkSync(turn % 2 === 0 ? "fifo" : "file", `${folder.path}/next`);
      Deno.renameSync(`${folder.path}/next`, path);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  })();
  for (let count = 0; count < 500; count++) {
    const outcome = await within(5_000, tool.call({ path }));
    if (outcome.ok) strictEqual(outcome.output.content, "text");
    else strictEqual(outcome.refusal.code, "NOT_A_FILE");
  }
  going = false;
  await swapping;
  strictEqual(openFiles(), openBefore);
});

Deno.test("read-file reports why a path can't be read", async (t) => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await Deno.writeTextFile(`${path}/file`, "");
  await Deno.symlink("loop", `${path}/loop`);
  const cases: [path: string, code: string, state: RegExp][] = [
    [`${path}/none`, "NOT_FOUND", /it does not exist; check the path$/],
    [`${path}/file/none`, "NOT_FOUND", /a part of its path is a file/],
    [`${path}/${"x".repeat(256)}`, "INVALID_PATH", /too long$/],
    [`/${"x/".repeat(50_000)}`, "INVALID_PATH", /^Cannot read ".{300}\.\.\.": .+ too long$/],
    [`${path}/loop`, "INVALID_PATH", /symbolic links lead in a circle$/],
    [`${path}/a\0b`, "INVALID_PATH", /"\S+a\\u0000b": a path can't hold a NUL character$/],
    [`${path}/\uD800`, "INVALID_PATH", /holds half of a surrogate pair$/],
    ["no-such-file", "NOT_FOUND", new RegExp(`^Cannot read "${Deno.cwd()}/no-such-file": `)],
    ["-", "NOT_FOUND", /does not exist/],
    ["", "INVALID_ARGUMENTS", /^path: /],
  ];
  for (const [file, code, state] of cases) {
    await t.step(JSON.stringify(file.slice(0, 80)), async () => {
      const refusal = await tool.refusal({ path: file });
      strictEqual(refusal.code, code);
      match(refusal.message, state);
    });
  }
});

Deno.test("read-file checks its arguments", async (t) => {
  const cases: object[] = [
    {},
    { path: 1 },
    { path: "/", offset: -1 },
    { path: "/", offset: 1.5 },
    { path: "/", limit: 0 },
    { path: "/", limit: "1" },
    { path: "/", encoding: "latin1" },
    { path: "/", file: "/" },
  ];
  for (const args of cases) {
    await t.step(JSON.stringify(args), async () => {
      strictEqual((await tool.refusal(args)).code, "INVALID_ARGUMENTS");
    });
  }
});

Deno.test("read-file stops when its call is stopped", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/sparse`;
  using file = await Deno.open(path, { create: true, write: true });
  await file.truncate(256 * MIB);
  const limits = { maxFileBytes: 256 * MIB };
  const controller = new AbortController();
  const refusal = tool.refusal({ path, encoding: "base64" }, { signal: controller.signal, limits });
  setTimeout(() => controller.abort(), 5);
  strictEqual((await refusal).code, "CANCELLED");
  strictEqual((await tool.refusal({ path }, { signal: AbortSignal.abort() })).code, "CANCELLED");
});

Deno.test("read-file leaves no file open", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/bytes`;
  await Deno.writeFile(path, Uint8Array.from([0xff]));
  await tool.call({ path });
  const before = openFiles();
  for (let count = 0; count < 50; count++) await tool.call({ path });
  await tool.call({ path, encoding: "base64" });
  strictEqual(openFiles(), before);
});

Deno.test("read-file reports that its user may not read a file", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/secret`;
  await Deno.writeTextFile(path, "", { mode: 0o000 });
  const message = `Cannot read "${path}": the server's user has no permission for it`;
  deepStrictEqual(await callToolInProcess("read-file", [{ path }], { asNobody: true }), [
    { ok: false, refusal: { kind: "TOOL_FAILED", code: "ACCESS_DENIED", message } },
  ]);
});

Deno.test("read-file works with explicit permissions, without /proc", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  await Deno.writeTextFile(path, "text");
  const calls = [{ path }, { path: "/proc/version" }];
  const message = 'Cannot read "/proc/version": the server was started without permission for it';
  deepStrictEqual(await callToolInProcess("read-file", calls, { flags: PLAIN_FLAGS }), [
    { ok: true, output: { content: "text", size: 4 } },
    { ok: false, refusal: { kind: "TOOL_FAILED", code: "ACCESS_DENIED", message } },
  ]);
});
