import { strictEqual } from "node:assert/strict";
import type { Page } from "playwright-core";
import { CHROMIUM } from "../../../test_support/browser/launch_chromium.ts";
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
}

const LAUNCH = `launchOptions: ${JSON.stringify(CHROMIUM)}`;

/** Vite takes the next port if its own is in use; with `--port 0` it would fail now and then. */
const VITE = ["vite", "--host", "127.0.0.1"];

/** An edit that fails if the page lacks one of the texts. */
function edit(changes: Readonly<Record<string, string>>): (text: string) => string {
  const edits = Object.entries(changes).map(([removed, added]) => ({ removed, added }));
  return (text) => withEdits(text, edits);
}

/** The first query fails, as the pages say how, and the next one shows the record. */
const FAILS_ONCE = {
  edits: { "vite.config.js": edit({ "seeds:": "fail: { People: 503 }, seeds:" }) },
  site: {
    words: VITE,
    async look(page: Page) {
      await page.getByText(/^Cannot load people/).waitFor();
      await page.getByText("Reload").click();
      await page.getByText("Ada", { exact: true }).waitFor();
    },
  },
};

/** A record is added from the browser, and the page that the server renders next fails. */
async function lookAtRendered(page: Page): Promise<void> {
  await page.getByRole("listitem").getByText("Ada").waitFor();
  await clickUntil(page, "Add Grace", "Grace");
  const response = await page.request.post(
    new URL("/graphql/fail?operation=People", page.url()).href,
  );
  strictEqual(response.status(), 204);
  await page.reload({ waitUntil: "commit" });
  await page.getByText(/^Cannot load people: .*disk full$/).waitFor();
  await page.reload({ waitUntil: "commit" });
  await page.getByRole("listitem").getByText("Ada").waitFor();
}

/** Clicks again if nothing has come of it: a button of a rendered page is dead until its script runs. */
async function clickUntil(page: Page, button: string, item: string): Promise<void> {
  const found = page.getByRole("listitem").getByText(item).first();
  for (;;) {
    await page.getByText(button).click();
    if (await found.waitFor({ timeout: 2_000 }).then(() => true, () => false)) return;
  }
}

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
  vitest: { edits: { "browser.config.js": edit({ "playwright()": `playwright({ ${LAUNCH} })` }) } },
  jest: {},
  msw: {},
  playwright: {
    edits: {
      "playwright.config.js": edit({
        "use: {": `expect: { timeout: 300_000 }, use: { ${LAUNCH},`,
        "webServer: {": "webServer: { timeout: 300_000,",
      }),
    },
  },
  next: {
    site: { words: ["next", "dev", "--hostname", "localhost"], look: lookAtRendered },
  },
  nuxt: {
    site: { words: ["nuxt", "dev", "--host", "127.0.0.1"], look: lookAtRendered },
  },
  angular: {
    site: {
      words: ["ng", "serve", "--host", "127.0.0.1", "--port", "0"],
      async look(page) {
        await page.getByText("Ada", { exact: true }).waitFor();
      },
    },
  },
  storybook: {
    site: {
      words: ["storybook", "dev", "--ci", "--host", "127.0.0.1"],
      async look(page) {
        const show = (story: string) =>
          page.goto(new URL(`/iframe.html?id=people--${story}`, page.url()).href);
        await show("one-person");
        await page.getByText("Ada", { exact: true }).waitFor();
        await show("not-loaded");
        await page.getByText("Cannot load people: disk full").waitFor();
      },
    },
  },
};
