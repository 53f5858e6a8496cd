import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import MiniSearch from "minisearch";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import * as z from "zod";
import { SEARCH_FIELDS, SEARCH_OPTIONS } from "../../site/.vitepress/search.ts";
import { watchFaults } from "../../test_support/browser/browser_page.ts";
import { checkAccess } from "../../test_support/browser/check_access.ts";
import { launchChromium } from "../../test_support/browser/launch_chromium.ts";
import { serveSite } from "../../test_support/browser/serve_page.ts";
import { relativeLinks } from "../../test_support/markdown.ts";
import { ROOT } from "../../test_support/root.ts";
import { requires } from "../../test_support/services.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { builtPackage } from "../npm/testing/built_package.ts";
import { deadSiteLinks } from "../testing/dead_links.ts";
import { buildSite } from "./build_site.ts";
import type { SitePage } from "./pages.ts";
import { fileOf } from "./stage_pages.ts";
import { SEARCHES } from "./testing/searches.ts";

const BASE = "/docs/trestle/";
const DEADLINE_MS = 120_000;

/** A page of each kind. */
const KINDS = ["", "mirage-graphql/", "mcp-server/settings", "api-wrapper/api/", "none"];

const SCREENS: readonly BrowserContextOptions[] = ["light" as const, "dark" as const].flatMap(
  (colorScheme) =>
    [{ width: 1280, height: 900 }, { width: 375, height: 740 }].map((viewport) => ({
      colorScheme,
      viewport,
      reducedMotion: "reduce" as const,
    })),
);

/** Of the first load of a page of text, with everything that it loads. */
const MOST_GZIPPED_BYTES = 150_000;

Deno.test({
  ...requires("chromium", requires("node", "the documentation site is complete and usable").name),
  fn: async (t) => {
    await using folder = await createTempFolder();
    const output = `${folder.path}/site`;
    const printed: string[] = [];
    await using mock = await builtPackage("mirage_graphql");
    await using wrapper = await builtPackage("api_wrapper");
    const pages = await buildSite({
      output,
      base: BASE,
      parts: ["example"],
      packages: [mock.tarball, wrapper.tarball],
      signal: AbortSignal.timeout(10 * 60_000),
      report: (text) => printed.push(text),
    }).catch((error) => {
      throw new Error(printed.join(""), { cause: error });
    });
    await t.step("no link of it is dead", async () => {
      deepStrictEqual(await deadSiteLinks(output, BASE), []);
    });
    await t.step("llms.txt and llms-full.txt have every page", () => checkPlain(output, pages));
    await t.step("thirty words of newcomers find their page", () => checkSearch(output));
    await t.step("its own files are formatted and have no lint", checkStyle);
    await using site = serveSite(output, { base: BASE });
    const browser = await launchChromium();
    try {
      for (const screen of SCREENS) {
        const name = `${screen.colorScheme}, ${screen.viewport?.width} px`;
        await t.step(`its pages are usable: ${name}`, () => checkScreen(browser, site.url, screen));
      }
      await t.step("the first load of a page is small", () => checkSize(browser, site.url, output));
      await t.step("the example runs", () => checkExample(browser, site.url));
    } finally {
      await browser.close();
    }
  },
});

async function checkPlain(output: string, pages: readonly SitePage[]): Promise<void> {
  const index = await Deno.readTextFile(`${output}/llms.txt`);
  match(index, /^# Trestle\n\n> Build and test .+\.\n/);
  const files = pages.slice(1).map((page) => `${BASE}${fileOf(page)}.md`);
  deepStrictEqual(relativeLinks(index).sort(), [...files, `${BASE}llms-full.txt`].sort());
  const full = await Deno.readTextFile(`${output}/llms-full.txt`);
  for (const page of pages) {
    ok(full.includes(`<!-- ${page.source} -->`), page.source);
    const text = await Deno.readTextFile(`${output}/${fileOf(page)}.md`);
    for (const path of relativeLinks(text)) {
      ok(path.startsWith(BASE), path);
      await Deno.stat(`${output}/${path.slice(BASE.length)}`);
    }
  }
}

/** Searches as the box on the page does, and its first three results are of the expected page. */
async function checkSearch(output: string): Promise<void> {
  const chunks = await Array.fromAsync(Deno.readDir(`${output}/assets/chunks`));
  const file = chunks.find(({ name }) => name.startsWith("@localSearchIndex"))?.name;
  const url = new URL(`file://${output}/assets/chunks/${file}`);
  const index = z.object({ default: z.string() }).parse(await import(url.href));
  const search = MiniSearch.loadJSON(index.default, {
    ...SEARCH_FIELDS,
    searchOptions: SEARCH_OPTIONS,
  });
  const missed = SEARCHES.flatMap(([words, path]) => {
    const found = search.search(words).slice(0, 3).map(({ id }) => pathOf(String(id)));
    return found.includes(path) ? [] : [{ words, path, found }];
  });
  deepStrictEqual(missed, []);
}

/** The page of a section: `mcp-server/jobs` of `/docs/trestle/mcp-server/jobs.html#limits`. */
function pathOf(id: string): string {
  return id.slice(BASE.length).replace(/#.*$/, "").replace(/\.html$/, "");
}

/** The repository's checks leave this folder out, because its packages are npm's. */
async function checkStyle(): Promise<void> {
  const folder = `${ROOT}/site/.vitepress`;
  const format = ["fmt", "--check", "--line-width=100", "--unstable-component"];
  for (const [program = "", ...args] of [format, ["lint"]]) {
    const command = new Deno.Command(Deno.execPath(), {
      args: [program, "--no-config", ...args, folder],
    });
    strictEqual((await command.spawn().status).code, 0);
  }
}

/** Every kind of page: axe, its width, its requests, and what is opened on it. */
async function checkScreen(
  browser: Browser,
  url: string,
  screen: BrowserContextOptions,
): Promise<void> {
  await using tab = await openTab(browser, url, screen);
  const { page } = tab;
  // in the dark a page differs by its colors alone
  const rules = screen.colorScheme === "dark" ? ["color-contrast"] : undefined;
  for (const path of KINDS) {
    await page.goto(`${url}${BASE}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await checkPage(page, rules);
  }
  await page.goto(`${url}${BASE}mirage-graphql/`);
  if (screen.viewport?.width === 375) {
    await page.getByRole("button", { name: "mobile navigation" }).click();
    await page.locator("#VPNavScreen").getByRole("link", { name: "mcp-server" }).waitFor();
  } else {
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("subscription");
    await page.getByRole("option").first().waitFor();
  }
  await checkPage(page, rules);
}

async function checkPage(page: Page, rules?: readonly string[]): Promise<void> {
  await checkAccess(page, rules);
  const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  strictEqual(isWide, false, `"${page.url()}" is wider than the screen`);
}

/** The largest page, and one with tables: everything that the browser loads, compressed. */
async function checkSize(browser: Browser, url: string, output: string): Promise<void> {
  for (const path of ["mcp-server/api/toolkit", "mirage-graphql/"]) {
    await using tab = await openTab(browser, url, {});
    await tab.page.goto(`${url}${BASE}${path}`, { waitUntil: "networkidle" });
    const sizes = await Promise.all(tab.loaded().map((file) => gzippedBytes(`${output}/${file}`)));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    ok(sizes.length > 4 && bytes <= MOST_GZIPPED_BYTES, `${path} loads ${bytes} bytes`);
  }
}

async function gzippedBytes(path: string): Promise<number> {
  const there = [path, `${path}.html`, `${path}index.html`];
  const files = await Promise.all(
    there.map((one) => Deno.readFile(one).then((bytes) => [bytes], () => [])),
  );
  const [bytes] = files.flat();
  if (bytes === undefined) throw new Error(`Cannot find "${path}"`);
  const gzipped = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(gzipped).arrayBuffer()).byteLength;
}

/** The link of the menu loads the app, which shows its records. */
async function checkExample(browser: Browser, url: string): Promise<void> {
  await using tab = await openTab(browser, url, { viewport: { width: 1280, height: 900 } });
  const { page } = tab;
  await page.goto(`${url}${BASE}`);
  await page.getByRole("link", { name: "Example", exact: true }).first().click();
  await page.getByRole("link", { name: "Rooms" }).click();
  await page.waitForURL(`${url}${BASE}example/#/rooms`);
  await page.getByRole("heading", { name: "Rooms" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Rooms" }).waitFor();
}

interface WatchedTab extends AsyncDisposable {
  readonly page: Page;
  /** The files that it has loaded, below the base. */
  readonly loaded: () => string[];
}

/** Opens a tab. When it is closed, nothing may have failed in it, or come from another host. */
async function openTab(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<WatchedTab> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(DEADLINE_MS);
  const { pageErrors } = watchFaults(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  return {
    page,
    loaded: () =>
      requests.filter((one) => one.startsWith(url))
        .map((one) => new URL(one).pathname.slice(BASE.length)),
    async [Symbol.asyncDispose]() {
      await context.close();
      deepStrictEqual(pageErrors, []);
      deepStrictEqual(
        requests.filter((one) => !/^(data:|blob:)/.test(one) && !one.startsWith(url)),
        [],
      );
    },
  };
}
