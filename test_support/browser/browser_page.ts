import type { Page } from "playwright-core";
import { bundle } from "./bundle.ts";
import { launchChromium } from "./launch_chromium.ts";
import { type PageSite, servePage } from "./serve_page.ts";

const DEADLINE_MS = 120_000;

/** Where the page is opened, and what else its site answers. */
export interface OpenPageOptions extends PageSite {
  /** Path and query of the page. @default {"/"} */
  readonly path?: string;
}

/** A page in Chromium, and its errors. */
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
  const site = stack.use(servePage(await bundleOnce(entry), options));
  const browser = await launchChromium();
  stack.defer(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(DEADLINE_MS);
  const faults = watchFaults(page);
  await page.goto(`${site.url}${path}`);
  const parts = stack.move();
  return { page, url: site.url, ...faults, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

const bundles = new Map<string, Promise<string>>();

/** Pages of one test file often have the same module. */
function bundleOnce(entry: URL): Promise<string> {
  const found = bundles.get(entry.href) ?? bundle(entry);
  bundles.set(entry.href, found);
  return found;
}

/** The errors of a page while it is watched. */
export interface PageFaults {
  /** Texts that the page wrote with `console.error()`, and those of the browser itself. */
  readonly consoleErrors: readonly string[];
  /** Errors that nothing in the page caught, rejected promises included. */
  readonly pageErrors: readonly Error[];
  /** Requests without a complete response, aborted ones included: `GET /posts net::ERR_ABORTED`. */
  readonly failedRequests: readonly string[];
}

/** Collects the errors of a page. */
export function watchFaults(page: Page): PageFaults {
  const consoleErrors: string[] = [];
  const pageErrors: Error[] = [];
  const failedRequests: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => pageErrors.push(error));
  page.on("requestfailed", (request) => {
    const { pathname, search } = new URL(request.url());
    const reason = request.failure()?.errorText ?? "";
    failedRequests.push(`${request.method()} ${pathname}${search} ${reason}`);
  });
  return { consoleErrors, pageErrors, failedRequests };
}
