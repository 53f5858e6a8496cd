import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { relativeLinks } from "../../test_support/markdown.ts";
import { ROOT } from "../../test_support/root.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { fileOf, stagePages } from "./stage_pages.ts";

Deno.test("stagePages() writes the pages, their Markdown, llms.txt and the menu", async (t) => {
  await using folder = await createTempFolder();
  const example = { text: "Example", link: "/example/", target: "_self" } as const;
  const pages = await stagePages(ROOT, folder.path, { base: "/x/", parts: [example] });
  const read = (file: string) => Deno.readTextFile(`${folder.path}/${file}`);

  await t.step("the first page has a card for each component, with what installs it", async () => {
    const home = await read("pages/index.md");
    const cards = home.split('<section class="card">').slice(1);
    deepStrictEqual(cards.map((card) => /\]\((.+?)\)/.exec(card)?.[1]), [
      "/mirage-graphql/",
      "/api-wrapper/",
      "/mcp-server/",
    ]);
    for (const card of cards) match(card, /\n[A-Z].+\.\n\n```sh\nnp[mx] .+@trestle\/.+\n```\n/);
    ok(home.includes(JSON.stringify(example.link)) && !home.includes("img.shields.io"));
  });

  await t.step("a page of an entry has what it exports, with its documentation", async () => {
    const api = await read("pages/api-wrapper/api/index.md");
    match(api, /\n### useApi\(\)\n\nCalls an API function at once/);
    match(api, /```ts\nfunction useApi<Args[^]*\): UseApiReturn<Args, Result>;\n```\n\nExample:\n/);
    match(
      api,
      /\n### ApiResult\n[^]*\n {2}\/\*\* What the server has sent. \*\/\n {2}readonly data/,
    );
    match(await read("pages/mcp-server/api/toolkit.md"), /\nIt also exports `z`\.\n/);
  });

  await t.step("llms.txt leads to the Markdown of each page, which leads to others", async () => {
    const index = await read("public/llms.txt");
    match(
      index,
      /^# Trestle\n\n> Build and test .+\.\n\nAll pages in one file: .+\n\n## mirage-graphql\n/,
    );
    const linked = relativeLinks(index).map((path) => path.replace(/^\/x\//, ""));
    const files = pages.slice(1).map((page) => `${fileOf(page)}.md`);
    deepStrictEqual(linked.sort(), [...files, "llms-full.txt"].sort());
    const full = await read("public/llms-full.txt");
    for (const { source } of pages) ok(full.includes(`<!-- ${source} -->`), source);
    const page = await read("public/mirage-graphql/testing.md");
    ok(relativeLinks(page).includes("/x/mirage-graphql/serve.md"));
  });

  await t.step("the menu has every page but the first one", async () => {
    const { sidebar, nav, sources } = JSON.parse(await read("site.json"));
    const links = Object.values(sidebar).flat().flatMap((group) => linksOf(group));
    deepStrictEqual(links.sort(), pages.slice(1).map(({ path }) => `/${path}`).sort());
    strictEqual(nav.length, 4);
    strictEqual(sources["mirage-graphql/dialects.md"], "mirage_graphql/docs/dialects.md");
  });
});

function linksOf(group: unknown): string[] {
  return [...JSON.stringify(group).matchAll(/"link":"([^"]+)"/g)].map(([, link = ""]) => link);
}
