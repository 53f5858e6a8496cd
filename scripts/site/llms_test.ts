import { strictEqual } from "node:assert/strict";
import { llmsFull, llmsIndex } from "./llms.ts";
import { HOME, PROJECT } from "./pages.ts";

const BOX = { source: "box/README.md", path: "box/", label: "Overview" };
const ENTRY = { source: "box/mod.ts", path: "box/api/", label: "box", entry: "@x/box" };
const SECTION = {
  title: "box",
  folder: "box",
  path: "box/",
  groups: [{ title: "Start", pages: [BOX] }, { title: "API", pages: [ENTRY] }],
};
const TEXTS = new Map([
  [HOME, "# Trestle\n\nBuild and\ntest.\n"],
  [BOX, "# Box\n\nHolds [things](/x/things.md). And more.\n"],
  [ENTRY, "# API of @x/box\n\n## Functions\n"],
]);

Deno.test("llmsIndex() links each page's Markdown, with what the page says first", () => {
  const index = llmsIndex([SECTION], TEXTS, "/x/");
  const start = `# Trestle

> Build and test.

All pages in one file: [llms-full.txt](/x/llms-full.txt)

## box

- [Overview](/x/box/index.md): Holds things.
- [@x/box](/x/box/api/index.md)

## Optional

`;
  const optional = PROJECT.pages.map(({ label, path }) => `- [${label}](/x/${path}.md)\n`);
  strictEqual(index, start + optional.join(""));
});

Deno.test("llmsFull() has every page, with the file that it is made from", () => {
  strictEqual(
    llmsFull(new Map([[BOX, "# Box\n\nA.\n"], [ENTRY, "# API\n"]])),
    "<!-- box/README.md -->\n\n# Box\n\nA.\n\n---\n\n<!-- box/mod.ts -->\n\n# API\n",
  );
});
