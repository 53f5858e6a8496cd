import { deepStrictEqual } from "node:assert/strict";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { watchFaults } from "../../test_support/browser/browser_page.ts";
import { checkAccess } from "../../test_support/browser/check_access.ts";
import { ROOT } from "../../test_support/root.ts";

const DEADLINE_MS = 60_000;

/** The browser settings of a phone. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

/** The example app in its own tab, with a fresh mock server. */
export interface ExampleTab extends AsyncDisposable {
  readonly page: Page;
  /** Finds an element by its role and name. */
  readonly role: (role: Parameters<Page["getByRole"]>[0], name: string | RegExp) => Locator;
  /** Waits until the page shows a text. */
  readonly shows: (text: string | RegExp) => Promise<void>;
  /** Presses a button in the mock server's panel. */
  readonly arrange: (button: string) => Promise<void>;
  /** Sets how fast the mock server answers. */
  readonly setSpeed: (speed: "At once" | "On a train") => Promise<void>;
  /** The panel's log of requests, newest first. */
  readonly readLog: () => Promise<string[]>;
  /** Waits until the panel's log has a request with a title, and its response. */
  readonly answered: (title: string) => Promise<void>;
  /** Runs automatic accessibility checks on the page: all rules, or some of them. */
  readonly checkAccess: (rules?: readonly string[]) => Promise<void>;
  /** Saves a screenshot of the page in `dist/screenshots`. */
  readonly takePicture: (name: string) => Promise<void>;
}

/** Opens a page of the app. When the tab is closed, nothing may have gone wrong in it. */
export async function openExample(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<ExampleTab> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(DEADLINE_MS);
  const faults = watchFaults(page);
  await page.goto(url);
  const role: ExampleTab["role"] = (role, name) =>
    page.getByRole(role, { name, exact: typeof name === "string" });

  async function inPanel<T>(act: () => Promise<T>): Promise<T> {
    await role("button", "Mock server").click();
    await role("dialog", "Mock server").waitFor();
    return await act();
  }

  return {
    page,
    role,
    shows: (text) => page.getByText(text).first().waitFor(),
    arrange: (button) => inPanel(() => role("button", button).click()),
    setSpeed: (speed) =>
      inPanel(async () => {
        await role("radio", speed).check();
        await page.keyboard.press("Escape");
      }),
    readLog: () =>
      inPanel(async () => {
        const lines = await page.locator(".log li").allInnerTexts();
        await page.keyboard.press("Escape");
        return lines.map((line) => line.replaceAll(/\s+/g, " "));
      }),
    answered: (title) =>
      inPanel(async () => {
        await page.locator(".log li[data-state='200']").filter({ hasText: title }).waitFor();
        await page.keyboard.press("Escape");
      }),
    checkAccess: (rules) => checkAccess(page, rules),
    takePicture: (name) => takePicture(page, name),
    async [Symbol.asyncDispose]() {
      await context.close();
      deepStrictEqual([faults.consoleErrors, faults.pageErrors], [[], []]);
    },
  };
}

async function takePicture(page: Page, name: string): Promise<void> {
  const folder = `${ROOT}/dist/screenshots`;
  await Deno.mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}
