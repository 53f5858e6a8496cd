import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { sourceFiles } from "../source_files.ts";
import { exportedFiles, readMembers } from "../workspace.ts";
import { allPages, siteSections } from "./pages.ts";

const members = await readMembers(ROOT);
const pages = allPages(siteSections(members));

Deno.test("every Markdown file of the repository is a page of the site", async () => {
  const files = await sourceFiles(ROOT, [".md"]);
  const sources = pages.filter(({ entry }) => entry === undefined).map(({ source }) => source);
  deepStrictEqual(sources.sort(), files);
});

Deno.test("every entry of a package has a page of its API", async () => {
  const entries = pages.filter(({ entry }) => entry !== undefined);
  deepStrictEqual(entries.map(({ source }) => source).sort(), (await exportedFiles(ROOT)).sort());
  const page = entries.find(({ source }) => source === "mirage_graphql/ws.ts");
  strictEqual(page?.entry, "@trestle/mirage-graphql/ws");
  strictEqual(page?.path, "mirage-graphql/api/ws");
});

Deno.test("the pages have paths and, in their section, labels of their own", () => {
  const paths = pages.map(({ path }) => path);
  strictEqual(new Set(paths).size, paths.length);
  for (const { groups, path } of siteSections(members)) {
    const labels = groups.flatMap(({ pages }) => pages.map(({ label }) => label));
    strictEqual(new Set(labels).size, labels.length);
    ok(groups[0]?.pages[0]?.path === path);
  }
});

Deno.test("siteSections() reports a component that has no package", () => {
  throws(() => siteSections([]), {
    name: "RangeError",
    message: 'Cannot find the package "mirage_graphql"',
  });
});
