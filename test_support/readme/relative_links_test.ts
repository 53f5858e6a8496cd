import { deepStrictEqual } from "node:assert/strict";
import { relativeLinks } from "./relative_links.ts";

Deno.test("relativeLinks() lists the paths of links and images", () => {
  const markdown = `[a](b.md), [c](../d/e.md#f "title"), [g](#h), [i](https://example.org/j)
- ![k](l.png) and \`[m](n)\`

| head   |
| ------ |
| [o](p) |
`;
  deepStrictEqual(relativeLinks(markdown), ["b.md", "../d/e.md", "l.png", "p"]);
});
