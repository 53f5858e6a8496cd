import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { ToolError } from "../../shared/error.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { type FileLines, readFileLines, type ReadLinesOptions } from "./read_file.ts";

type Wanted = Pick<ReadLinesOptions, "line" | "lines"> & { readonly maxBytes?: number };

async function linesOf(content: string | Uint8Array, wanted: Wanted): Promise<FileLines> {
  await using folder = await createTempFolder();
  const path = `${folder.path}/a.txt`;
  await Deno.writeFile(
    path,
    typeof content === "string" ? new TextEncoder().encode(content) : content,
  );
  return await readFileLines(path, {
    maxBytes: 1_000,
    signal: new AbortController().signal,
    ...wanted,
  });
}

Deno.test("readFileLines() reads whole lines, and names what is left", async (t) => {
  const text = "one\ntwo\r\nthree\nfour";
  const cases: [name: string, wanted: Wanted, lines: Omit<FileLines, "size">][] = [
    ["all", { line: 1 }, { text }],
    ["the first", { line: 1, lines: 1 }, { text: "one\n", nextLine: 2 }],
    ["two in the middle", { line: 2, lines: 2 }, { text: "two\r\nthree\n", nextLine: 4 }],
    ["to the end", { line: 3, lines: 99 }, { text: "three\nfour" }],
    ["past the end", { line: 9 }, { text: "" }],
    ["as many as fit", { line: 1, maxBytes: 12 }, { text: "one\ntwo\r\n", nextLine: 3 }],
    ["a line that does not fit", { line: 3, maxBytes: 3 }, { text: "thr", nextOffset: 12 }],
    ["the last two", { line: -2 }, { text: "three\nfour" }],
    ["one of the last", { line: -2, lines: 1 }, { text: "three\n", nextOffset: 15 }],
    ["more than there are", { line: -9, lines: 1 }, { text: "one\n", nextOffset: 4 }],
  ];
  for (const [name, wanted, lines] of cases) {
    await t.step(name, async () => {
      deepStrictEqual(await linesOf(text, wanted), { size: 19, ...lines });
    });
  }
});

Deno.test("readFileLines() does not count a line behind the last line end", async () => {
  deepStrictEqual(await linesOf("a\nb\n", { line: -1 }), { text: "b\n", size: 4 });
  deepStrictEqual(await linesOf("a\n\n", { line: -1 }), { text: "\n", size: 3 });
  deepStrictEqual(await linesOf("\n", { line: -1 }), { text: "\n", size: 1 });
  deepStrictEqual(await linesOf("", { line: -1 }), { text: "", size: 0 });
});

Deno.test("readFileLines() cuts no character, and refuses what is no text", async () => {
  deepStrictEqual(await linesOf("ab€", { line: 1, maxBytes: 4 }), {
    text: "ab",
    size: 5,
    nextOffset: 2,
  });
  await rejects(
    linesOf(new Uint8Array([97, 10, 255]), { line: 2 }),
    (error: unknown) => error instanceof ToolError && error.code === "NOT_UTF8",
  );
});

Deno.test("readFileLines() page by page reads a file of several pieces whole", async () => {
  const line = fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[\r\n]/g, ""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 100, max: 9_000 }),
      async (some, lines) => {
        const text = `${some.join("\n")}\n`.repeat(10_000);
        await using folder = await createTempFolder();
        const path = `${folder.path}/a.txt`;
        await Deno.writeTextFile(path, text);
        const { signal } = new AbortController();
        let read = "";
        for (let next: number | undefined = 1; next !== undefined;) {
          const page: FileLines = await readFileLines(path, {
            line: next,
            lines,
            maxBytes: 300_000,
            signal,
          });
          read += page.text;
          next = page.nextLine;
        }
        strictEqual(read, text);
        const last = await readFileLines(path, { line: -3, maxBytes: 300_000, signal });
        strictEqual(last.text, `${text.split("\n").slice(-4, -1).join("\n")}\n`);
      },
    ),
    { numRuns: 5 },
  );
});
