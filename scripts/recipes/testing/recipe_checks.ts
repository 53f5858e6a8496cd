import type { Page } from "playwright-core";
import { withEdits } from "../../../test_support/markdown.ts";

/** What is checked of a recipe in addition to its commands. */
export interface RecipeCheck {
  /** Edits of its files, by path: the browser of this machine, or a failure to look at. */
  readonly edits?: Readonly<Record<string, (text: string) => string>>;
  /** The words of the command that serves its app, and what a user sees in it. */
  readonly site?: {
    readonly words: readonly string[];
    look(page: Page): Promise<void>;
  };
  /** Its packages are so large that it runs by hand, in a folder of its own. */
  readonly isLarge?: boolean;
}

const LAUNCH = 'launchOptions: { executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] }';

/** Vite takes the next port if its own is in use; with `--port 0` it would fail now and then. */
const VITE = ["vite", "--host", "127.0.0.1"];

function edit(removed: string, added: string): (text: string) => string {
  return (text) => withEdits(text, [{ removed, added }]);
}

/** The first query fails, as the pages say how, and the next one shows the record. */
const FAILS_ONCE = {
  edits: { "vite.config.js": edit("seeds:", "fail: { People: 503 }, seeds:") },
  site: {
    words: VITE,
    async look(page: Page) {
      await page.getByText(/^Cannot load people/).waitFor();
      await page.getByText("Reload").click();
      await page.getByText("Ada", { exact: true }).waitFor();
    },
  },
};

/** Every recipe by the name of its page. */
export const RECIPES: Readonly<Record<string, RecipeCheck>> = {
  vue: FAILS_ONCE,
  react: {
    ...FAILS_ONCE,
    site: {
      words: VITE,
      async look(page) {
        await FAILS_ONCE.site.look(page);
        await page.getByText("Add Grace").click();
        await page.getByText("Grace", { exact: true }).waitFor();
      },
    },
  },
  svelte: FAILS_ONCE,
  relay: {
    site: {
      words: VITE,
      async look(page) {
        await page.getByText("Ada", { exact: true }).waitFor();
        await page.getByText("More").click();
        await page.getByText("Grace", { exact: true }).waitFor();
      },
    },
  },
  codegen: {},
  vitest: { edits: { "browser.config.js": edit("playwright()", `playwright({ ${LAUNCH} })`) } },
  jest: {},
  msw: {},
  playwright: { edits: { "playwright.config.js": edit("use: {", `use: { ${LAUNCH},`) } },
};
