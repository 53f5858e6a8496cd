import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { codeBlocks, tableRows } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { NPM_TARGETS, PROJECT, SERVER_KEYWORDS } from "./npm/package_manifest.ts";
import { sourceFiles } from "./source_files.ts";
import { JSR_EXPORTS, readMembers } from "./workspace.ts";

/** Pages that are read in a checkout, or that tell what has been. */
const INSIDE = /^(CONTRIBUTING|SECURITY)\.md$|CHANGELOG\.md$|MIGRATION\.md$/;
/** What only a checkout has. */
const NEEDS_CHECKOUT = /\bdeno(@\S+)? task \w|\b(mcp_server|mirage_graphql)\/\w+\.ts\b/;
/** The start of the server, for which these pages have other lines in docs/install.md. */
const START = /\bdeno run -[AP] mcp_server\/main\.ts\b/g;
const CLONE = `git clone ${PROJECT.repository.url}`;

const pages = (await sourceFiles(ROOT, [".md"])).filter((path) => !INSIDE.test(path));
const texts = await Promise.all(
  pages.map(async (path) => [path, await Deno.readTextFile(`${ROOT}/${path}`)] as const),
);

Deno.test("pages that show a command for a checkout say how to get one first", () => {
  let found = 0;
  for (const [path, text] of texts) {
    const blocks = codeBlocks(text).filter(({ language }) => language === "sh");
    const hasOthers = path.startsWith("mcp_server/docs/");
    const first = blocks.find(({ code }) => {
      return NEEDS_CHECKOUT.test(hasOthers ? code.replaceAll(START, "") : code);
    });
    if (first === undefined) continue;
    const clone = blocks.find(({ code }) => code.includes(CLONE));
    ok(clone !== undefined && clone.line <= first.line, `${path}:${first.line}`);
    found++;
  }
  ok(found >= 5);
});

Deno.test("each page says in its first paragraph what it is for", () => {
  for (const [path, text] of texts.filter(([path]) => !path.includes("/testdata/"))) {
    match(text, /^# .+\n\n(?!#|```|\||- |>|!\[)\S/, path);
  }
});

Deno.test("the table in docs/install.md has a line for each part of the page", async () => {
  const [, page = ""] = texts.find(([path]) => path === "mcp_server/docs/install.md") ?? [];
  const listed = tableRows(page).map(([name]) => name);
  const parts = [...page.matchAll(/^## (.+)$/gm)].map(([, part]) => part);
  deepStrictEqual([...listed, "MCP Registry", "Limits"].toSorted(), parts.toSorted());
  const { tasks } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  ok("release" in tasks && "publish" in tasks);
  ok("./main" in (JSR_EXPORTS["mcp_server"] ?? {}));
});

Deno.test("every npm package has keywords of its own, in lower case", async () => {
  const lists = [...NPM_TARGETS.map(({ keywords }) => keywords), SERVER_KEYWORDS];
  strictEqual(lists.length, (await readMembers(ROOT)).length);
  for (const keywords of lists) {
    ok(keywords.length >= 5);
    strictEqual(new Set(keywords).size, keywords.length);
    for (const keyword of keywords) match(keyword, /^[a-z][a-z0-9-]*$/);
  }
});
