import type { Browser } from "playwright-core";
import { ROOT } from "../../../test_support/root.ts";
import { RECIPES } from "./recipe_checks.ts";
import { parseRecipe, type RecipePage } from "../recipe_page.ts";
import type { RecipeTree } from "./recipe_tree.ts";

/** Runs a part of a check, named for the reader of its result. */
export type Step = (name: string, fn: () => Promise<void>) => Promise<unknown>;

/** A bound, not an expectation. */
const DEADLINE_MS = 300_000;

/** Reads the page of a recipe. */
export async function readRecipe(name: string): Promise<RecipePage> {
  return parseRecipe(
    await Deno.readTextFile(`${ROOT}/mirage_graphql/docs/recipes/${name}.md`),
  );
}

/** Follows a recipe: writes its files, runs its commands, and looks at its app in a browser. */
export async function checkRecipe(
  name: string,
  page: RecipePage,
  { tree, browser, step }: {
    readonly tree: RecipeTree;
    readonly browser: Browser;
    readonly step: Step;
  },
): Promise<void> {
  const { edits = {}, site } = RECIPES[name] ?? {};
  const edited = Object.entries(edits).map(([path, edit]) => [path, edit(page.files[path] ?? "")]);
  await tree.write(name, { ...page.files, ...Object.fromEntries(edited) });
  // a browser is there already
  const commands = page.commands.filter(({ words }) => !words.includes("install"));
  for (const command of commands) {
    await step(`${name}: npx ${command.words.join(" ")}`, () => tree.run(name, command));
  }
  if (site === undefined) return;
  await step(`${name}: its app in a browser`, async () => {
    await using served = await tree.serve(name, { words: site.words, env: {} });
    const tab = await browser.newPage();
    tab.setDefaultTimeout(DEADLINE_MS);
    try {
      await tab.goto(served.url);
      await site.look(tab);
    } finally {
      await tab.close();
    }
  });
}
