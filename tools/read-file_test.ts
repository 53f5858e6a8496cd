import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import {
  callTool,
  type CallToolOptions,
  outputOf,
  refusalOf,
  registerTool,
} from "../mcp_server/testing/call_tool.ts";
import { callToolInProcess } from "../mcp_server/testing/call_tool_in_process.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import readFile from "./read-file.ts";

const MIB = 1024 * 1024;
const PLAIN_FLAGS = ["--allow-read", "--allow-write", "--allow-run", "--allow-env", "--allow-sys"];

function call(args: object, options?: CallToolOptions) {
  return callTool(readFile, "read-file", args, options);
}

async function contentOf(args: object, options?: CallToolOptions): Promise<string> {
  const { content, ...rest } = outputOf(await call(args, options));
  deepStrictEqual(rest, {});
  ok(typeof content === "string");
  return content;
}

async function refusalFor(args: object, options?: CallToolOptions) {
  return refusalOf(await call(args, options));
}

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

Deno.test("read-file is described in less than 1.3 kB", async () => {
  const { definition } = await registerTool(readFile, "read-file");
  ok(JSON.stringify(definition).length < 1_300);
  deepStrictEqual(definition.annotations, {
    title: "Read a file",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
});

Deno.test("read-file returns the file's text unchanged", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/file`;
  const texts = [
    "",
    "one\n",
    "\uFEFFwith a mark",
    "a\r\nb\r\n",
    "nul \0 too",
    "𝄞 é € \uFFFD",
    "\uFEFF",
  ];
  for (const text of texts) {
    await t.step(JSON.stringify(text), async () => {
      await Deno.writeTextFile(path, text);
      strictEqual(await contentOf({ path }), text);
    });
  }
});

Deno.test("read-file reads a part by bytes", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/digits`;
  await Deno.writeTextFile(path, "0123456789");
  const parts: [args: object, content: string][] = [
    [{ offset: 0, limit: 3 }, "012"],
    [{ offset: 3, limit: 3 }, "345"],
    [{ offset: 8 }, "89"],
    [{ limit: 100 }, "0123456789"],
    [{ offset: 10 }, ""],
    [{ offset: 12, limit: 1 }, ""],
    [{ offset: Number.MAX_SAFE_INTEGER }, ""],
    [{ offset: 4, limit: 3, encoding: "base64" }, btoa("456")],
    [{ offset: 11, encoding: "base64" }, ""],
  ];
  for (const [args, content] of parts) {
    await t.step(JSON.stringify(args), async () => {
      strictEqual(await contentOf({ path, ...args }), content);
    });
  }
});

Deno.test("read-file reads from the middle of a large file without reading the bytes before", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/sparse`;
  using file = await Deno.open(path, { create: true, write: true });
  await file.seek(6 * 1024 * MIB, Deno.SeekMode.Start);
  await file.write(new TextEncoder().encode("far away"));
  strictEqual(await contentOf({ path, offset: 6 * 1024 * MIB + 4, limit: 10 }), "away");
});

Deno.test("read-file returns any bytes as base64", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/bytes`;
  const bytes = crypto.getRandomValues(new Uint8Array(50_001));
  await Deno.writeFile(path, bytes);
  const content = await contentOf({ path, encoding: "base64" });
  deepStrictEqual(Uint8Array.fromBase64(content), bytes);
});

Deno.test("read-file rejects bytes that are not UTF-8 and suggests base64", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/bytes`;
  const faults: Record<string, number[]> = {
    "a byte that never occurs": [0x61, 0xff],
    "a character cut by the end of the file": [0x61, 0xe2, 0x82],
    "a continuation alone": [0x80, 0x61],
    "an overlong form": [0xc0, 0xaf],
    "a surrogate": [0xed, 0xa0, 0x80],
    "beyond U+10FFFF": [0xf4, 0x90, 0x80, 0x80],
  };
  for (const [name, bytes] of Object.entries(faults)) {
    await t.step(name, async () => {
      await Deno.writeFile(path, Uint8Array.from(bytes));
      const { code, message } = await refusalFor({ path });
      strictEqual(code, "NOT_UTF8");
      match(
        message,
        /^Cannot read ".+" as text: its bytes are not UTF-8; use "encoding": "base64"$/,
      );
    });
  }
});

Deno.test("read-file rejects a broken character at the limit too", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/bytes`;
  await Deno.writeFile(path, Uint8Array.from([0x61, 0xe2, 0x61, 0x61, 0x61]));
  strictEqual((await refusalFor({ path, limit: 2 })).code, "NOT_UTF8");
});

Deno.test("read-file pages through text with long characters and loses nothing", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/text`;
  const text = "a€é𝄞\uFEFFß—𝄞𝄞漢字\n".repeat(4);
  await Deno.writeTextFile(path, text);
  for (const limit of [4, 5, 6, 7, 64, 255]) {
    await t.step(`limit ${limit}, by the byte length of the content`, async () => {
      let read = "";
      for (
        let page = "-", offset = 0;
        page !== "";
        offset += new TextEncoder().encode(page).length
      ) {
        page = await contentOf({ path, offset, limit });
        read += page;
      }
      strictEqual(read, text);
    });
    await t.step(`limit ${limit}, by the limit and the errors' suggestions`, async () => {
      let read = "";
      for (let page = "-", offset = 0; page !== ""; offset += limit) {
        const outcome = await call({ path, offset, limit });
        if (!outcome.ok) offset = Number(/use "offset": (\d+)$/.exec(outcome.refusal.message)?.[1]);
        page = await contentOf({ path, offset, limit });
        read += page;
      }
      strictEqual(read, text);
    });
  }
});

Deno.test("read-file reports which limit fits the next character", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/text`;
  await Deno.writeTextFile(path, "€");
  const { code, message } = await refusalFor({ path, limit: 2 });
  strictEqual(code, "SPLIT_CHARACTER");
  match(message, /^Cannot read 2 bytes of ".+": the next character has 3; use "limit": 3 or more$/);
});

Deno.test("read-file reads at most the server's limit at once", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/text`;
  await Deno.writeTextFile(path, "a".repeat(4 * MIB));
  strictEqual((await contentOf({ path })).length, 4 * MIB);
  await Deno.writeTextFile(path, "a", { append: true });
  const { code, message } = await refusalFor({ path });
  strictEqual(code, "TOO_LARGE");
  match(
    message,
    /it has 4194305 bytes, and one call reads at most 4194304; use "offset" and "limit"$/,
  );
  strictEqual((await contentOf({ path, offset: 1 })).length, 4 * MIB);
  strictEqual((await contentOf({ path, limit: 4 * MIB })).length, 4 * MIB);
  strictEqual((await refusalFor({ path, limit: 4 * MIB + 1 })).code, "INVALID_ARGUMENTS");
});

Deno.test("read-file reads /proc, whose files report a size of 0", async () => {
  const status = await contentOf({ path: "/proc/self/status" });
  match(status, new RegExp(`^Pid:\\s+${Deno.pid}$`, "m"));
  const maps = await contentOf({ path: "/proc/self/maps" });
  ok(maps.length > 8_192 && maps.endsWith("\n"));
  const start = await contentOf({ path: "/proc/version", limit: 5 });
  strictEqual(start, "Linux");
  strictEqual(await contentOf({ path: "/proc/version", offset: 2, limit: 3 }), "nux");
  const limits = { maxFileBytes: 1_024 };
  const { code, message } = await refusalFor({ path: "/proc/self/maps" }, { limits });
  strictEqual(code, "TOO_LARGE");
  match(message, /it has more than 1024 bytes, and one call reads at most 1024; /);
});

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
      const { code, message } = await refusalFor({ path: file });
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
    const outcome = await within(5_000, call({ path }));
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
      const refusal = await refusalFor({ path: file });
      strictEqual(refusal.code, code);
      match(refusal.message, state);
    });
  }
});

Deno.test("read-file uses hostile names unchanged", async (t) => {
  await using folder = await createTempFolder();
  const names = ["a\nb", '"', "'$(id)`id`", "-rf", " ", "~", "é\u0301", "*?[a]", "\\", "\x1b[31m"];
  for (const name of [...names, "n".repeat(255)]) {
    await t.step(JSON.stringify(name.slice(0, 20)), async () => {
      await Deno.writeTextFile(`${folder.path}/${name}`, name);
      strictEqual(await contentOf({ path: `${folder.path}/${name}` }), name);
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
      strictEqual((await refusalFor(args)).code, "INVALID_ARGUMENTS");
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
  const refusal = refusalFor({ path, encoding: "base64" }, { signal: controller.signal, limits });
  setTimeout(() => controller.abort(), 5);
  strictEqual((await refusal).code, "CANCELLED");
  strictEqual((await refusalFor({ path }, { signal: AbortSignal.abort() })).code, "CANCELLED");
});

Deno.test("read-file leaves no file open", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/bytes`;
  await Deno.writeFile(path, Uint8Array.from([0xff]));
  await call({ path });
  const before = openFiles();
  for (let count = 0; count < 50; count++) await call({ path });
  await call({ path, encoding: "base64" });
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
    { ok: true, output: { content: "text" } },
    { ok: false, refusal: { kind: "TOOL_FAILED", code: "ACCESS_DENIED", message } },
  ]);
});
