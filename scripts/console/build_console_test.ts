import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { buildConsole, compress, CONSOLE_MODULE, filesOf, toModule } from "./build_console.ts";

const MOST_BYTES = 120 * 1024;
/** What a page loads only when it needs it, and how large that may be. */
const LATE = { path: "/console/terminal.js", mostBytes: 100 * 1024 };

const embedded = filesOf(await Deno.readTextFile(`${ROOT}/${CONSOLE_MODULE}`));

Deno.test("the console in the server is built from its sources: deno task build:console", async () => {
  const built = await buildConsole();
  deepStrictEqual(embedded.map(({ path }) => path), built.map(({ path }) => path));
  for (const { path, text } of built) {
    const current = embedded.find((file) => file.path === path)?.text;
    ok(current === text, `${path} is not up to date: run deno task build:console`);
  }
});

Deno.test("the console has at most 120 KiB gzipped, no script of its own in the page, and no eval", () => {
  const sizes = embedded.map((file) => [file.path, compress(file).length] as const);
  const late = sizes.find(([path]) => path === LATE.path)?.[1] ?? 0;
  const bytes = sizes.reduce((sum, [, size]) => sum + size, -late);
  ok(bytes > 10_000 && bytes <= MOST_BYTES, `${bytes} bytes`);
  ok(late > 10_000 && late <= LATE.mostBytes, `${late} bytes`);
  const [page, ...files] = embedded.map(({ text }) => text);
  deepStrictEqual(
    page?.match(/<script(?! type="module" src="\/console\/main\.js"><\/script>)/g),
    null,
  );
  ok(!/ (style|on\w+)=/.test(page ?? ""));
  for (const text of files) {
    ok(!/\beval\(|\bnew Function\b|\bimport\("https?:|url\(["']?https?:/.test(text));
  }
});

Deno.test("filesOf() reads what toModule() writes", () => {
  const files = [{ path: "/", text: "<p>é</p>" }, { path: "/a.js", text: "x".repeat(500_000) }];
  deepStrictEqual(filesOf(toModule(files)), files);
  strictEqual(toModule(files), toModule(files));
});
