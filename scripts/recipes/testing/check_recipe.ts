import type { Browser } from "playwright-core";
import { launchChromium } from "../../../test_support/browser/launch_chromium.ts";
import { ROOT } from "../../../test_support/root.ts";
import { requires } from "../../../test_support/services.ts";
import { RECIPES } from "./recipe_checks.ts";
import { parseRecipe, type RecipePage } from "../recipe_page.ts";
import { createRecipeTree, type RecipeTree } from "./recipe_tree.ts";

/** A bound, not an expectation. */
const DEADLINE_MS = 300_000;

/** Reads the page of a recipe. */
export async function readRecipe(name: string): Promise<RecipePage> {
  return parseRecipe(
    await Deno.readTextFile(`${ROOT}/mirage_graphql/docs/recipes/${name}.md`),
  );
}

/** Registers a test that follows recipes, with the packages of all in one folder. */
export function testRecipes(description: string, names: readonly string[]): void {
  Deno.test({
    ...requires("chromium", requires("node", description).name),
    fn: async (t) => {
      const pages = await Promise.all(names.map(readRecipe));
      await using tree = await createRecipeTree(pages);
      const browser = await launchChromium();
      try {
        for (const [at, name] of names.entries()) {
          const page = pages[at];
          if (page !== undefined) await checkRecipe(t, { name, page, tree, browser });
        }
      } finally {
        await browser.close();
      }
    },
  });
}

/** A recipe, and where it is followed. */
interface Place {
  readonly name: string;
  readonly page: RecipePage;
  readonly tree: RecipeTree;
  readonly browser: Browser;
}

/** The options of test runners that let a test take as long as a busy machine needs. */
const PATIENCE: Readonly<Record<string, readonly string[]>> = {
  vitest: [`--testTimeout=${DEADLINE_MS}`],
  jest: [`--testTimeout=${DEADLINE_MS}`],
  playwright: [`--timeout=${DEADLINE_MS}`],
};

/** Lets a test of Testing Library wait as long; its default is a second. */
function toPatient(code: string): string {
  const library = /from "(@testing-library\/\w+)";/.exec(code)?.[1];
  if (library === undefined) return code;
  return `${code}
import { configure as configureLibrary } from "${library}";
configureLibrary({ asyncUtilTimeout: ${DEADLINE_MS} });
`;
}

/** Writes the files of a recipe, runs its commands, and looks at its app in the browser. */
async function checkRecipe(
  t: Deno.TestContext,
  { name, page, tree, browser }: Place,
): Promise<void> {
  const { edits = {}, site } = RECIPES[name] ?? {};
  const files = Object.entries(page.files).map((
    [path, text],
  ) => [path, toPatient(edits[path]?.(text) ?? text)]);
  await tree.write(name, Object.fromEntries(files));
  // a browser is there already
  const commands = page.commands.filter(({ words }) => !words.includes("install"));
  for (const { words, env } of commands) {
    const patient = [...words, ...PATIENCE[words[0] ?? ""] ?? []];
    await t.step(`${name}: npx ${words.join(" ")}`, () => tree.run(name, { words: patient, env }));
  }
  if (site === undefined) return;
  await t.step(`${name}: its app in a browser`, async () => {
    await using served = await tree.serve(name, { words: site.words, env: {} });
    const tab = await browser.newPage();
    tab.setDefaultTimeout(DEADLINE_MS);
    try {
      await tab.goto(served.url, { waitUntil: "commit" });
      await site.look(tab);
    } finally {
      await tab.close();
    }
  });
}
