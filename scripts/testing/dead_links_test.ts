import { deepStrictEqual } from "node:assert/strict";
import { createRepository } from "./create_repository.ts";
import { deadLinks, deadSiteLinks } from "./dead_links.ts";

Deno.test("deadLinks() lists the links to files that a package lacks", async () => {
  const page = "[a](../README.md#use) [b](b.md) [c](../../README.md) [d](https://example.org/)\n";
  await using root = await createRepository({
    "README.md": "",
    "box/README.md": "[page](docs/a.md) [here](#use)\n",
    "box/docs/a.md": page,
    "box/docs/b.md": "",
  });
  const files = ["box/README.md", "box/docs/a.md", "box/docs/b.md", "box/mod.ts"];
  deepStrictEqual(await deadLinks(root.path, files), ["box/docs/a.md links to ../../README.md"]);
  deepStrictEqual(await deadLinks(root.path, ["box/README.md"]), [
    "box/README.md links to docs/a.md",
  ]);
});

Deno.test("deadSiteLinks() lists links of a site to no page, no file and no anchor", async () => {
  const links = ["/x/a#b", "/x/c/", "d.css", "/x/", "https://example.org/e", "#f", "/x/a#q&amp;a"];
  const dead = ["/a", "/x/a#c", "/x/none", "/x/c", "e.css", "#g"];
  const page = [...links, ...dead].map((to) => `<a class="l" href="${to}">text</a>`).join("");
  await using site = await createRepository({
    "index.html": `<link href="/x/d.css"><h1 id="f">F</h1>${page}`,
    "a.html": `<h2 id="b" tabindex="-1">B</h2><p id="q&amp;a"></p><img src="/x/none.webp">`,
    "c/index.html": "",
    "d.css": "",
  });
  deepStrictEqual(
    (await deadSiteLinks(site.path, "/x/")).sort(),
    [
      "a.html links to /x/none.webp",
      ...dead.map((to) => `index.html links to ${to}`),
    ].sort(),
  );
});
