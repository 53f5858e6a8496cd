import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { buildConsole, compress, CONSOLE_MODULE, filesOf, toModule } from "./build_console.ts";

const MOST_BYTES = 120 * 1024;

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
  const bytes = embedded.reduce((sum, file) => sum + compress(file).length, 0);
  ok(bytes > 10_000 && bytes <= MOST_BYTES, `${bytes} bytes`);
  const [page, script, style] = embedded.map(({ text }) => text);
  deepStrictEqual(
    page?.match(/<script(?! type="module" src="\/console\/main\.js"><\/script>)/g),
    null,
  );
  ok(!/ (style|on\w+)=/.test(page ?? ""));
  for (const text of [script, style]) {
    ok(!/\beval\(|\bnew Function\b|\bimport\("https?:|url\(["']?https?:/.test(text ?? ""));
  }
});

Deno.test("filesOf() reads what toModule() writes", () => {
  const files = [{ path: "/", text: "<p>é</p>" }, { path: "/a.js", text: "x".repeat(500_000) }];
  deepStrictEqual(filesOf(toModule(files)), files);
  strictEqual(toModule(files), toModule(files));
});
