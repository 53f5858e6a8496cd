import { strictEqual } from "node:assert/strict";
import { REPOSITORY, rewriteLinks, withoutBadges, withoutContents } from "./links.ts";

const PAGES: Readonly<Record<string, string>> = {
  "README.md": "/",
  "box/README.md": "/box/",
  "box/docs/a.md": "/box/a",
};

const TARGETS = {
  pageAt: (source: string) => PAGES[source],
  pictureAt: (file: string) => `/pictures/${file}`,
};

const rewrite = (text: string) => rewriteLinks(text, "box/docs/a.md", TARGETS);

Deno.test("rewriteLinks() leads to pages, pictures, and the repository for other files", () => {
  const cases: [string, string][] = [
    ["[a](a.md#b)", "[a](/box/a#b)"],
    ["[`a`\nb](../README.md)", "[`a`\nb](/box/)"],
    ["[a](..#b)", "[a](/box/#b)"],
    ["[a](../../README.md)", "[a](/)"],
    ["![a](../b.webp)", "![a](/pictures/box/b.webp)"],
    ["[a](../mod.ts#L3)", `[a](${REPOSITORY}/blob/main/box/mod.ts#L3)`],
    ["[a](../../LICENSE)", `[a](${REPOSITORY}/blob/main/LICENSE)`],
    ["[a](../src)", `[a](${REPOSITORY}/tree/main/box/src)`],
    ["[a](#b) [c](https://example.org/d)", "[a](#b) [c](https://example.org/d)"],
  ];
  for (const [text, expected] of cases) strictEqual(rewrite(text), expected);
});

Deno.test("rewriteLinks() leaves code as it is", () => {
  for (
    const code of [
      "`[a](a.md)`",
      "``[a](a.md) ` ``",
      "```md\n[a](a.md)\n```",
      "- b\n\n  ~~~md\n  [a](a.md)\n  ~~~",
    ]
  ) {
    strictEqual(rewrite(`${code}\n\n[a](a.md)`), `${code}\n\n[a](/box/a)`);
  }
});

Deno.test("withoutBadges() removes pictures from other hosts", () => {
  const badge = "[![npm](https://example.org/badge)](https://example.org)";
  strictEqual(withoutBadges(`a\n\n${badge}\n${badge}\n\n![b](c.webp)\n`), "a\n\n\n![b](c.webp)\n");
});

Deno.test("withoutContents() removes the links to a page's own sections", () => {
  const text =
    "# A\n\nB.\n\n[C](#c) · [D\nE](#d-e)\n· [F](#f)\n\n## C\n\n[G](#g) and\n\n[H](h.md) · [I](#i)\n";
  strictEqual(withoutContents(text), text.replace("\n\n[C](#c) · [D\nE](#d-e)\n· [F](#f)", ""));
});
