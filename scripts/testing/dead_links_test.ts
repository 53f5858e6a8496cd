import { deepStrictEqual } from "node:assert/strict";
import { createRepository } from "./create_repository.ts";
import { deadLinks } from "./dead_links.ts";

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
