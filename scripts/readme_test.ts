import { deepStrictEqual, fail, ok, strictEqual } from "node:assert/strict";
import stripJsonComments from "strip-json-comments";
import {
  type CodeBlock,
  codeBlocks,
  headingLinks,
  headingNames,
  relativeLinks,
} from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { sourceFiles } from "./source_files.ts";

/**
 * How the blocks of each language are checked here; `deno test --doc` runs the TypeScript ones, but
 * those of recipes, which the test of recipes runs as parts of their projects.
 */
const CHECKS: Readonly<Record<string, (block: CodeBlock, file: string) => void>> = {
  json: ({ code }) => void JSON.parse(code),
  jsonc: ({ code }) => void JSON.parse(stripJsonComments(code, { trailingCommas: true })),
  ts: ({ info }, file) =>
    strictEqual(info, isRecipe(file) ? "ignore" : "", "a block of TypeScript runs unchanged"),
};

function isRecipe(file: string): boolean {
  return file.includes("/docs/recipes/");
}

const files = await sourceFiles(ROOT, [".md"]);

/** A longer page begins with links to its sections. */
const LINES_WITHOUT_CONTENTS = 150;

/** A larger picture makes the page slow on a slow network. */
const MOST_PICTURE_BYTES = 100_000;

Deno.test("the picture of README.md is small", async () => {
  const readme = await Deno.readTextFile(`${ROOT}/README.md`);
  const picture = relativeLinks(readme).find((path) => path.endsWith(".webp"));
  const { size } = await Deno.stat(`${ROOT}/${picture}`);
  ok(size > 0 && size <= MOST_PICTURE_BYTES, `${picture} has ${size} bytes`);
});

for (const file of files) {
  Deno.test(`the code blocks of ${file} are valid`, async () => {
    for (const block of codeBlocks(await Deno.readTextFile(`${ROOT}/${file}`))) {
      try {
        CHECKS[block.language]?.(block, file);
      } catch (error) {
        fail(`Cannot accept the ${block.language} block at ${file}:${block.line}: ${error}`);
      }
    }
  });

  Deno.test(`the links of ${file} lead to existing files and headings`, async () => {
    const text = await Deno.readTextFile(`${ROOT}/${file}`);
    const home = new URL(file, `file://${ROOT}/`);
    for (const path of relativeLinks(text)) {
      ok(await Deno.stat(new URL(path, home)).then(() => true, () => false), path);
    }
    for (const { path, heading } of headingLinks(text)) {
      const target = await Deno.readTextFile(new URL(path || home.href, home));
      ok(headingNames(target).includes(heading), `${path}#${heading}`);
    }
  });
}

for (const file of files.filter((file) => !file.endsWith("CHANGELOG.md"))) {
  const text = await Deno.readTextFile(`${ROOT}/${file}`);
  if (text.split("\n").length <= LINES_WITHOUT_CONTENTS) continue;
  Deno.test(`${file} has a table of contents`, () => {
    const [beginning = ""] = text.split(/^## /m);
    const listed = headingLinks(beginning).filter(({ path }) => path === "");
    deepStrictEqual(listed.map(({ heading }) => heading), headingNames(text, 2));
  });
}

for (const file of files.filter((file) => file.includes("/docs/"))) {
  Deno.test(`${file} is linked from its overview, and names its limits`, async () => {
    const [component = "", page = ""] = file.split("/docs/");
    const [folder] = page.split("/");
    const overview = folder === page ? "README.md" : `docs/${folder}.md`;
    const links = relativeLinks(await Deno.readTextFile(`${ROOT}/${component}/${overview}`));
    ok(links.includes(folder === page ? `docs/${page}` : page));
    ok(headingNames(await Deno.readTextFile(`${ROOT}/${file}`), 2).includes("limits"));
  });
}
