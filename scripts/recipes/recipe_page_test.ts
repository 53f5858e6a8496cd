import { deepStrictEqual, match, ok, throws } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { importedPackages, parseRecipe } from "./recipe_page.ts";
import { readRecipe } from "./testing/check_recipe.ts";
import { RECIPES } from "./testing/recipe_checks.ts";

const PAGE = `# A recipe

\`\`\`sh ignore
npm install vue
npm install --save-dev vitest@5 @scope/plugin
\`\`\`

\`\`\`html
<!-- index.html -->
<p></p>
\`\`\`

\`\`\`js ignore
// src/main.js
import { createApp } from "vue";
import plugin from "@scope/plugin/entry";
import "./style.css";
import { readFile } from "node:fs";
\`\`\`

\`\`\`json app.json
{}
\`\`\`

\`\`\`json
{ "not": "a file" }
\`\`\`

\`\`\`js ignore
// not a file
\`\`\`

\`\`\`sh ignore
npx vitest run
export NODE_OPTIONS=--a=b
npx jest people
\`\`\`
`;

Deno.test("parseRecipe() reads packages, files and commands as a reader follows them", () => {
  const page = parseRecipe(PAGE);
  deepStrictEqual(page.packages, ["vue", "vitest@5", "@scope/plugin"]);
  deepStrictEqual(Object.keys(page.files), ["index.html", "src/main.js", "app.json"]);
  deepStrictEqual(page.files["index.html"], "<!-- index.html -->\n<p></p>\n");
  deepStrictEqual(page.commands, [
    { words: ["vitest", "run"], env: {} },
    { words: ["jest", "people"], env: { NODE_OPTIONS: "--a=b" } },
  ]);
  deepStrictEqual(importedPackages(page), ["@scope/plugin", "vue"]);
});

Deno.test("parseRecipe() rejects a file that is there twice", () => {
  const block = "```js\n// a.js\n```\n";
  throws(() => parseRecipe(`${block}\n${block}`), /Cannot write "a.js": it is twice/);
});

Deno.test("each page of recipes is checked", async () => {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(`${ROOT}/mirage_graphql/docs/recipes`)) {
    names.push(name.replace(/\.md$/, ""));
  }
  deepStrictEqual(names.sort(), Object.keys(RECIPES).sort());
});

for (const name of Object.keys(RECIPES)) {
  Deno.test(`the recipe "${name}" installs what it imports, and lets a request fail`, async () => {
    const page = await readRecipe(name);
    const installed = page.packages.map((specifier) => specifier.replace(/(?<=.)@.*$/, ""));
    deepStrictEqual(importedPackages(page).filter((used) => !installed.includes(used)), []);
    ok(page.commands.length > 0);
    match(Object.values(page.files).join("\n"), /failNext\("/);
  });
}
