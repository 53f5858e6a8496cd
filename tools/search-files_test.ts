import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import {
  callTool,
  type CallToolOptions,
  outputOf,
  refusalOf,
  registerTool,
} from "../mcp_server/testing/call_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import searchFiles from "./search-files.ts";

const call = (args: object, options?: CallToolOptions) =>
  callTool(searchFiles, "search-files", args, options);
const search = async (args: object, options?: CallToolOptions) =>
  outputOf(await call(args, options));
const refusal = async (args: object, options?: CallToolOptions) =>
  refusalOf(await call(args, options));

/** A folder with files of a content each. */
async function withFiles(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await createTempFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = `${folder.path}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(path, bytes);
  }
  return folder;
}

Deno.test("search-files is described in less than 1 kB", async () => {
  const { definition } = await registerTool(searchFiles, "search-files");
  ok(
    JSON.stringify({ ...definition, icons: undefined }).length < 1_000,
    `${JSON.stringify({ ...definition, icons: undefined }).length}`,
  );
});

const TREE = {
  ".gitignore": "*.log\nbuild/\n!build/kept.ts\n",
  ".git/config": "needle",
  ".hidden/a.ts": "needle\n",
  "a.log": "needle\n",
  "a.ts": "one\r\nneedle two\r\nthree\n",
  "a/z.ts": "Needle\nlast needle",
  "build/kept.ts": "needle\n",
  "binary.ts": "needle\0",
  "c d\nä.md": "needle\n",
};

/** The way of a call: as the server itself, or as a caller whose paths are bounded. */
const WAYS: Readonly<Record<string, (path: string) => CallToolOptions>> = {
  "a caller without bounds": () => ({}),
  "a bounded caller": (path) => ({ caller: boundedCaller({ paths: [`${path}/**`] }) }),
};

for (const [who, optionsFor] of Object.entries(WAYS)) {
  Deno.test(`search-files finds lines for ${who}`, async (t) => {
    await using folder = await withFiles(TREE);
    const { path } = folder;
    const options = optionsFor(path);
    const found = async (args: object) => {
      const { matches, ...rest } = await search({ path, ...args }, options);
      return [...Array.isArray(matches) ? matches : [], rest];
    };
    const hidden = { path: ".hidden/a.ts", line: 1, text: "needle" };
    const two = { path: "a.ts", line: 2, text: "needle two" };
    const last = { path: "a/z.ts", line: 2, text: "last needle" };
    const markdown = { path: "c d\nä.md", line: 1, text: "needle" };
    const cases: [name: string, args: object, matches: object[], files: number][] = [
      ["in the order of the paths", { pattern: "needle$|two" }, [hidden, last, two, markdown], 5],
      ["by name", { pattern: "needle", glob: "*.{js,md}" }, [markdown], 1],
      ["by path", { pattern: "needle", glob: "**/z.ts" }, [last], 1],
      ["by path from the folder on", { pattern: "needle", glob: "a/*" }, [last], 1],
      [
        "in any case",
        { pattern: "^needle", ignoreCase: true, glob: "a/*" },
        [{ path: "a/z.ts", line: 1, text: "Needle" }],
        1,
      ],
      [
        "what .gitignore names as well",
        { pattern: "needle", all: true, glob: "{a.log,kept.ts}" },
        [
          { path: "a.log", line: 1, text: "needle" },
          { path: "build/kept.ts", line: 1, text: "needle" },
        ],
        2,
      ],
      [
        "with the lines around them, each once",
        { pattern: "needle two", context: 1, glob: "a.*" },
        [{ ...two, before: ["one"], after: ["three"] }],
        2,
      ],
    ];
    for (const [name, args, matches, files] of cases) {
      await t.step(name, async () => deepStrictEqual(await found(args), [...matches, { files }]));
    }
    await t.step("in one file", async () => {
      deepStrictEqual(await search({ path: `${path}/a.log`, pattern: "ne" }, options), {
        matches: [{ path: "a.log", line: 1, text: "needle" }],
        files: 1,
      });
    });
    await t.step("but none behind a link", async () => {
      await Deno.symlink(`${path}/a`, `${path}/link`);
      await Deno.symlink("a.ts", `${path}/link.ts`);
      deepStrictEqual(await found({ pattern: "needle", glob: "link*" }), [{ files: 0 }]);
      const { matches } = await search({ path: `${path}/link`, pattern: "needle" }, options);
      deepStrictEqual(matches, [{ path: "z.ts", line: 2, text: "last needle" }]);
    });
  });
}

Deno.test("search-files stops at the limit, and says that there is more", async () => {
  await using folder = await withFiles({ "a.txt": "x\n".repeat(150), "b.txt": "x\n" });
  const count = async (args: object) => {
    const output = await search({ path: folder.path, pattern: "x", ...args });
    return [Array.isArray(output.matches) && output.matches.length, output.truncated];
  };
  deepStrictEqual(await count({}), [100, true]);
  deepStrictEqual(await count({ limit: 150 }), [150, true]);
  deepStrictEqual(await count({ limit: 151 }), [151, undefined]);
  deepStrictEqual(await count({ limit: 150, glob: "a*" }), [150, undefined]);
});

Deno.test("search-files answers with at most 32 KiB, and shows 400 characters of a line", async () => {
  const long = `${"é".repeat(900)}needle${"\u0001".repeat(900)}`;
  await using folder = await withFiles({ "a.txt": `${long}\n`.repeat(200) });
  const output = await search({ path: folder.path, pattern: "needle", limit: 1_000, context: 5 });
  const text = JSON.stringify(output);
  ok(text.length <= 32 * 1_024 && text.length > 30_000, `${text.length}`);
  const [first] = Array.isArray(output.matches) ? output.matches : [];
  strictEqual(Object(first).text, `…${"é".repeat(100)}needle${"\u0001".repeat(294)}…`);
  strictEqual(output.truncated, true);
});

Deno.test("search-files leaves a file out whose NUL comes after the limit", async () => {
  const late = `${"needle\n".repeat(200_000)}\0`;
  await using folder = await withFiles({ "a.txt": late, "b.txt": "needle" });
  deepStrictEqual(await search({ path: folder.path, pattern: "needle" }), {
    matches: [{ path: "b.txt", line: 1, text: "needle" }],
    files: 1,
  });
});

Deno.test("search-files counts the lines of what can't match, wherever a piece of the file ends", async () => {
  const line = `${"filler ".repeat(13)}\r\n`;
  await using folder = await withFiles({ "a.txt": `${line.repeat(20_000)}the needle\r\n` });
  const found = { path: "a.txt", line: 20_001, text: "the needle" };
  for (const pattern of ["needle$", "(needle)$"]) {
    deepStrictEqual(await search({ path: folder.path, pattern }), { matches: [found], files: 1 });
  }
});

Deno.test("search-files reads what is not UTF-8, and lines of any length", async () => {
  const bytes = new Uint8Array([0x61, 0xff, 0x62, 0x0a, 0x62]);
  const line = `${"a".repeat(300_000)}€needle${"b".repeat(600_000)}\nneedle`;
  await using folder = await withFiles({ "bytes": bytes, "long": line });
  const { matches } = await search({ path: folder.path, pattern: "a.b|needle" });
  deepStrictEqual(matches, [
    { path: "bytes", line: 1, text: "a\ufffdb" },
    { path: "long", line: 1, text: `…${"a".repeat(99)}€needle${"b".repeat(294)}…` },
    { path: "long", line: 2, text: "needle" },
  ]);
});

Deno.test("search-files refuses what it can't search, and says why", async (t) => {
  await using folder = await withFiles({ "srv/a": "secret", "etc/f": "secret" });
  const { path } = folder;
  await Deno.symlink("../etc", `${path}/srv/out`);
  const caller = boundedCaller({ paths: [`${path}/srv/**`] });
  const cases: [name: string, args: object, code: string, message: RegExp][] = [
    [
      "a wrong pattern",
      { pattern: "(" },
      "BAD_PATTERN",
      /^Cannot search for "\(": .*missing closing/,
    ],
    ["a lookahead", { pattern: "(?=a)" }, "BAD_PATTERN", /without lookaround and backreferences$/],
    ["a large pattern", { pattern: "((a{100}){100}){9}" }, "BAD_PATTERN", /repeat less$/],
    ["a wrong glob", { glob: "{a" }, "BAD_PATTERN", /^Cannot use the glob "\{a": /],
    [
      "a missing folder",
      { path: `${path}/none` },
      "NOT_FOUND",
      /^Cannot search ".+none": it does not/,
    ],
    [
      "a device",
      { path: "/dev/null" },
      "NOT_A_FILE",
      /^Cannot search "\/dev\/null": it is a device/,
    ],
  ];
  for (const [name, args, code, message] of cases) {
    await t.step(name, async () => {
      const refused = await refusal({ path, pattern: "secret", ...args });
      deepStrictEqual([refused.code, message.test(refused.message)], [code, true], refused.message);
    });
  }
  for (const outside of [path, `${path}/etc`, `${path}/etc/f`, `${path}/none`, `${path}/srv/out`]) {
    await t.step(`for a bounded caller: ${outside.slice(path.length)}`, async () => {
      const refused = await refusal({ path: outside, pattern: "secret" }, { caller });
      match(refused.message, /^Cannot search ".+": it is not among the paths of the caller "ci"/);
    });
  }
  await t.step("but finds the rest", async () => {
    const { matches } = await search({ path: `${path}/srv`, pattern: "secret" }, { caller });
    deepStrictEqual(matches, [{ path: "a", line: 1, text: "secret" }]);
  });
});

Deno.test("search-files ends when it is stopped, and answers in time", async () => {
  await using folder = await withFiles({ "a.txt": "some text, and more\n".repeat(4_000_000) });
  const args = { path: folder.path, pattern: "(?i)(x+.*y+.*)+z" };
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const start = performance.now();
  strictEqual((await refusal(args, { signal: stop.signal })).code, "CANCELLED");
  ok(performance.now() - start < 30_000);
  const { truncated } = await search(args, { limits: { timeoutMs: 1_000 } });
  strictEqual(truncated, true);
});
