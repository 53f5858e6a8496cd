import { chromium } from "playwright-core";
import { requires } from "../../test_support/services.ts";
import { checkRecipe, readRecipe } from "./testing/check_recipe.ts";
import { RECIPES } from "./testing/recipe_checks.ts";
import { createRecipeTree } from "./testing/recipe_tree.ts";

/** A bound, not an expectation. */
const DEADLINE_MS = 120_000;

Deno.test({
  ...requires("chromium", requires("node", "the recipes run as their pages show them").name),
  fn: async (t) => {
    const names = Object.keys(RECIPES).filter((name) => !RECIPES[name]?.isLarge);
    const pages = await Promise.all(names.map(readRecipe));
    await using tree = await createRecipeTree(pages);
    const browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox"],
      timeout: DEADLINE_MS,
    });
    try {
      for (const [at, page] of pages.entries()) {
        const step = (name: string, fn: () => Promise<void>) => t.step(name, fn);
        await checkRecipe(names[at] ?? "", page, { tree, browser, step });
      }
    } finally {
      await browser.close();
    }
  },
});
