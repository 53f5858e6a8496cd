import { chromium, type Page } from "playwright-core";
import { bundle } from "./bundle.ts";
import { type PageSite, servePage } from "./serve_page.ts";
import { type PageFaults, watchFaults } from "./watch_faults.ts";

const EXECUTABLE = "/usr/bin/chromium";
const DEADLINE_MS = 20_000;

/** Where the page is opened, and what its site answers beside it. */
export interface OpenPageOptions extends PageSite {
  /** Path and query of the page. @default {"/"} */
  readonly path?: string;
}

/** A page in Chromium, and what went wrong in it. */
export interface OpenPage extends PageFaults, AsyncDisposable {
  readonly page: Page;
  /** Address of the site, without a slash at the end. */
  readonly url: string;
}

/**
 * Bundles a file, serves it and opens it in Chromium. Resolves when the page has loaded, before a
 * top-level `await` of the module is done. Browser and server end with the block:
 * `await using tab = await openPage(new URL("./main.ts", import.meta.url))`.
 */
export async function openPage(entry: URL, options: OpenPageOptions = {}): Promise<OpenPage> {
  const { path = "/" } = options;
  await using stack = new AsyncDisposableStack();
  const site = stack.use(servePage(await bundle(entry), options));
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
  stack.defer(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(DEADLINE_MS);
  const faults = watchFaults(page);
  await page.goto(`${site.url}${path}`);
  const parts = stack.move();
  return { page, url: site.url, ...faults, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}
