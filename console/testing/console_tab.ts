import { deepStrictEqual } from "node:assert/strict";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { watchFaults } from "../../test_support/browser/browser_page.ts";
import { checkAccess } from "../../test_support/browser/check_access.ts";

const DEADLINE_MS = 60_000;

/** How a tab is opened. */
export interface OpenOptions extends BrowserContextOptions {
  /** The token to log in with; an empty one leaves the login open. */
  readonly token?: string;
  /** Keeps the token in the storage of the tab. @default {false} */
  readonly keep?: boolean;
  /** What is opened, after `#`. @default {"/tools"} */
  readonly path?: string;
}

/** The console in a tab. When it is closed, no error may have gone uncaught in it. */
export interface ConsoleTab extends AsyncDisposable {
  readonly page: Page;
  /** Finds an element by its role and name. */
  readonly role: (role: Parameters<Page["getByRole"]>[0], name: string | RegExp) => Locator;
  /** Finds the control with a label. */
  readonly field: (label: string | RegExp) => Locator;
  /** Waits until the page shows a text. */
  readonly shows: (text: string | RegExp) => Promise<void>;
  /** Fills the login in. */
  readonly logIn: (token: string, keep?: boolean) => Promise<void>;
  /** Shows another page of the console. */
  readonly goTo: (path: string) => Promise<void>;
  /** The text of the output. */
  readonly output: () => Promise<string>;
  /** Waits until the output contains a text. */
  readonly outputs: (text: string | RegExp) => Promise<void>;
  /** Runs all automatic accessibility checks, or some of them. */
  readonly checkAccess: (rules?: readonly string[]) => Promise<void>;
}

/** Opens the console in a context of its own. */
export async function openConsole(
  browser: Browser,
  url: string,
  { token = "", keep = false, path = "/tools", ...options }: OpenOptions,
): Promise<ConsoleTab> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(DEADLINE_MS);
  const faults = watchFaults(page);
  await page.goto(`${url}/#${path}`);
  const tab: ConsoleTab = {
    page,
    role: (role, name) => page.getByRole(role, { name, exact: typeof name === "string" }),
    field: (label) => page.getByLabel(label, { exact: typeof label === "string" }),
    shows: (text) => page.getByText(text).first().waitFor(),
    logIn: async (token, keep = false) => {
      await tab.field("Token").fill(token);
      if (keep) await page.getByLabel(/^Keep it/).check();
      await tab.role("button", "Log in").click();
    },
    goTo: (path) => page.evaluate(`location.hash = ${JSON.stringify(path)}`),
    output: () => page.evaluate(OUTPUT),
    outputs: (text) => page.locator(".screen").getByText(text).first().waitFor(),
    checkAccess: (rules) => checkAccess(page, rules),
    async [Symbol.asyncDispose]() {
      await context.close();
      deepStrictEqual(faults.pageErrors, []);
      deepStrictEqual(faults.consoleErrors.filter((text) => !EXPECTED.test(text)), []);
    },
  };
  if (token !== "") {
    await tab.logIn(token, keep);
    await tab.role("button", "Log out").waitFor();
  }
  return tab;
}

const OUTPUT = `[...document.querySelectorAll(".screen .block")]
  .map(({ textContent }) => textContent).join("")`;

/** The browser itself reports answers that are not 200, and servers that are away. */
const EXPECTED =
  /^Failed to load resource: (the server responded with a status of (401|403|404|422)|net::ERR_)/;
