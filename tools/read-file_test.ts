import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { outputOf, registerTool } from "../mcp_server/testing/call_tool.ts";
import { createReadTool } from "../mcp_server/testing/read_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import readFile from "./read-file.ts";

const tool = createReadTool(readFile);
const MIB = 1024 * 1024;

Deno.test("read-file is described in less than 1.4 kB", async () => {
  const { definition } = await registerTool(readFile, "read-file");
  ok(JSON.stringify({ ...definition, icons: undefined }).length < 1_400);
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
      strictEqual(await tool.content({ path }), text);
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
      strictEqual(await tool.content({ path, ...args }), content);
    });
  }
});

Deno.test("read-file says the size, and where to go on while something is left", async (t) => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/text`;
  await Deno.writeTextFile(path, "one\ntw€\n");
  const cases: [args: object, output: object][] = [
    [{}, { content: "one\ntw€\n", size: 10 }],
    [{ limit: 4 }, { content: "one\n", size: 10, nextOffset: 4 }],
    [{ offset: 4, limit: 4 }, { content: "tw", size: 10, nextOffset: 6 }],
    [{ offset: 4, limit: 6 }, { content: "tw€\n", size: 10 }],
    [{ limit: 4, encoding: "base64" }, { content: btoa("one\n"), size: 10, nextOffset: 4 }],
    [{ lines: 1 }, { content: "one\n", size: 10, nextLine: 2 }],
    [{ line: 2 }, { content: "tw€\n", size: 10 }],
    [{ line: -1 }, { content: "tw€\n", size: 10 }],
    [{ line: 1, limit: 5 }, { content: "one\n", size: 10, nextLine: 2 }],
  ];
  for (const [args, output] of cases) {
    await t.step(JSON.stringify(args), async () => {
      deepStrictEqual(outputOf(await tool.call({ path, ...args })), output);
    });
  }
  for (const args of [{ line: 0 }, { line: 1, offset: 3 }, { lines: 2, encoding: "base64" }]) {
    await t.step(`not ${JSON.stringify(args)}`, async () => {
      const { code, message } = await tool.refusal({ path, ...args });
      strictEqual(code, "INVALID_ARGUMENTS");
      match(message, /^Cannot read /);
    });
  }
});

Deno.test("read-file shows an image as an image, unless its bytes are asked for", async (t) => {
  await using folder = await createTempFolder();
  const images = {
    "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff],
    "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
    "image/gif": [...new TextEncoder().encode("GIF89a"), 0xff],
    "image/webp": [
      ...new TextEncoder().encode("RIFF"),
      1,
      2,
      3,
      255,
      ...new TextEncoder().encode("WEBPVP8 "),
    ],
  };
  for (const [mimeType, bytes] of Object.entries(images)) {
    await t.step(mimeType, async () => {
      const path = `${folder.path}/image`;
      await Deno.writeFile(path, Uint8Array.from(bytes));
      const outcome = await tool.call({ path });
      ok(outcome.ok);
      const data = Uint8Array.from(bytes).toBase64();
      deepStrictEqual(outcome.content, [
        { type: "image", data, mimeType },
        { type: "resource_link", uri: `trestle://files${path}`, name: "image" },
      ]);
      deepStrictEqual(outcome.output, { mimeType, size: bytes.length });
      strictEqual(await tool.content({ path, encoding: "base64" }), data);
    });
  }
  await t.step("not one of more than 1 MiB", async () => {
    const path = `${folder.path}/large`;
    await Deno.writeFile(path, new Uint8Array([0xff, 0xd8, 0xff, ...new Uint8Array(MIB)]));
    strictEqual((await tool.refusal({ path })).code, "NOT_UTF8");
  });
});

Deno.test("read-file reads from the middle of a large file without reading the bytes before", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/sparse`;
  using file = await Deno.open(path, { create: true, write: true });
  await file.seek(6 * 1024 * MIB, Deno.SeekMode.Start);
  await file.write(new TextEncoder().encode("far away"));
  strictEqual(await tool.content({ path, offset: 6 * 1024 * MIB + 4, limit: 10 }), "away");
});

Deno.test("read-file returns any bytes as base64", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/bytes`;
  const bytes = crypto.getRandomValues(new Uint8Array(50_001));
  await Deno.writeFile(path, bytes);
  const content = await tool.content({ path, encoding: "base64" });
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
      const { code, message } = await tool.refusal({ path });
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
  strictEqual((await tool.refusal({ path, limit: 2 })).code, "NOT_UTF8");
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
        page = await tool.content({ path, offset, limit });
        read += page;
      }
      strictEqual(read, text);
    });
    await t.step(`limit ${limit}, by the limit and the errors' suggestions`, async () => {
      let read = "";
      for (let page = "-", offset = 0; page !== ""; offset += limit) {
        const outcome = await tool.call({ path, offset, limit });
        if (!outcome.ok) offset = Number(/use "offset": (\d+)$/.exec(outcome.refusal.message)?.[1]);
        page = await tool.content({ path, offset, limit });
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
  const { code, message } = await tool.refusal({ path, limit: 2 });
  strictEqual(code, "SPLIT_CHARACTER");
  match(message, /^Cannot read 2 bytes of ".+": the next character has 3; use "limit": 3 or more$/);
});

Deno.test("read-file reads at most the server's limit at once", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/text`;
  await Deno.writeTextFile(path, "a".repeat(4 * MIB));
  strictEqual((await tool.content({ path })).length, 4 * MIB);
  await Deno.writeTextFile(path, "a", { append: true });
  const { code, message } = await tool.refusal({ path });
  strictEqual(code, "TOO_LARGE");
  match(
    message,
    /it has 4194305 bytes, and one call reads at most 4194304; use "offset" and "limit"$/,
  );
  strictEqual((await tool.content({ path, offset: 1 })).length, 4 * MIB);
  strictEqual((await tool.content({ path, limit: 4 * MIB })).length, 4 * MIB);
  strictEqual((await tool.refusal({ path, limit: 4 * MIB + 1 })).code, "INVALID_ARGUMENTS");
});

Deno.test("read-file reads /proc, whose files report a size of 0", async () => {
  const status = await tool.content({ path: "/proc/self/status" });
  match(status, new RegExp(`^Pid:\\s+${Deno.pid}$`, "m"));
  const maps = await tool.content({ path: "/proc/self/maps" });
  ok(maps.length > 8_192 && maps.endsWith("\n"));
  const start = await tool.content({ path: "/proc/version", limit: 5 });
  strictEqual(start, "Linux");
  strictEqual(await tool.content({ path: "/proc/version", offset: 2, limit: 3 }), "nux");
  const limits = { maxFileBytes: 1_024 };
  const { code, message } = await tool.refusal({ path: "/proc/self/maps" }, { limits });
  strictEqual(code, "TOO_LARGE");
  match(message, /it has more than 1024 bytes, and one call reads at most 1024; /);
});

Deno.test("read-file uses hostile names unchanged", async (t) => {
  await using folder = await createTempFolder();
  const names = ["a\nb", '"', "'$(id)`id`", "-rf", " ", "~", "é\u0301", "*?[a]", "\\", "\x1b[31m"];
  for (const name of [...names, "n".repeat(255)]) {
    await t.step(JSON.stringify(name.slice(0, 20)), async () => {
      await Deno.writeTextFile(`${folder.path}/${name}`, name);
      strictEqual(await tool.content({ path: `${folder.path}/${name}` }), name);
    });
  }
});
