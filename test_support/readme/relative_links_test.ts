import { deepStrictEqual } from "node:assert/strict";
import { headingLinks, headingNames, relativeLinks } from "./relative_links.ts";

Deno.test("relativeLinks() lists the paths of links and images", () => {
  const markdown = `[a](b.md), [c](../d/e.md#f "title"), [g](#h), [i](https://example.org/j)
- ![k](l.png) and \`[m](n)\`

| head   |
| ------ |
| [o](p) |
`;
  deepStrictEqual(relativeLinks(markdown), ["b.md", "../d/e.md", "l.png", "p"]);
});

Deno.test("headingLinks() lists links to headings, of the text itself and of others", () => {
  const text = "[a](#limits) [b](docs/x.md#a-b) [c](https://example.org/#d) [e](y.md)";
  deepStrictEqual(headingLinks(text), [
    { path: "", heading: "limits" },
    { path: "docs/x.md", heading: "a-b" },
  ]);
});

Deno.test("headingNames() names headings as GitHub does", () => {
  const text = "# @x/a\n\n## useApi(`fn`, now = true)\n\nIn 30 Seconds\n---\n\n```sh\n# no\n```\n";
  deepStrictEqual(headingNames(text), ["xa", "useapifn-now--true", "in-30-seconds"]);
});
