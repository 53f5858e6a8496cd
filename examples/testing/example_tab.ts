import { deepStrictEqual } from "node:assert/strict";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { watchFaults } from "../../test_support/browser/browser_page.ts";
import { checkAccess } from "../../test_support/browser/check_access.ts";

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
  /** Loads a page of the app, with a fresh mock server. */
  readonly load: (path: string) => Promise<void>;
  /** Finds an element by its role and name. */
  readonly role: (role: Parameters<Page["getByRole"]>[0], name: string | RegExp) => Locator;
  /** Waits until the page shows a text. */
  readonly shows: (text: string | RegExp) => Promise<void>;
  /** Makes the next request fail with a message, by the mock's panel. */
  readonly failNext: (requests: FailingRequests, message: string) => Promise<void>;
  /** Adds a shoutout to the person with the id "1", by the mock's panel. */
  readonly postAsColleague: () => Promise<void>;
  /** Lets the mock answer at once, or let all requests wait, by its panel. */
  readonly setSpeed: (speed: "at once" | "on a train") => Promise<void>;
  /** The requests in the panel, newest first. */
  readonly readLog: () => Promise<string[]>;
  /** Waits until the panel has a request, or a stream, with a title. */
  readonly answered: (page: "Requests" | "Streams", title: string) => Promise<void>;
  /** Opens the panel. */
  readonly openPanel: () => Promise<void>;
  /** Runs automatic accessibility checks on the page: all rules, or some of them. */
  readonly checkAccess: (rules?: readonly string[]) => Promise<void>;
}

/** Requests that can fail, as the panel names them. */
export type FailingRequests = "all operations" | "all REST requests";

/** What a colleague writes. */
const SHOUTOUT = {
  at: "2040-01-01T10:00:00.000Z",
  fromId: "7",
  toId: "1",
  text: "Your notes from the harbor visit saved me a whole afternoon.",
};

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

  const panel = page.getByRole("region", { name: "Mock panel", exact: true });

  async function openPanel(): Promise<void> {
    await page.locator("trestle-mock-panel .opener").click();
    await panel.waitFor();
  }

  /** Opens a page of the panel, does something there, and closes it. */
  async function inPanel<T>(tab: string, act: () => Promise<T>): Promise<T> {
    await openPanel();
    await panel.getByRole("tab", { name: tab }).click();
    const done = await act();
    await panel.getByRole("button", { name: "Close", exact: true }).click();
    await panel.waitFor({ state: "hidden" });
    return done;
  }

  const control = (name: string) => panel.getByLabel(name, { exact: true });
  const press = (name: string) => panel.getByRole("button", { name, exact: true }).click();

  async function addFault(of: FailingRequests, when: string, fault: string, value: string) {
    await control("Request").selectOption(of);
    await control("When").selectOption(when);
    await control("Fault").selectOption(fault);
    await control("Value").fill(value);
    await press("Add");
    await panel.getByRole("status").filter({ hasText: "Added." }).waitFor();
  }

  return {
    page,
    load: async (path) => void await page.goto(new URL(path, url).href),
    role,
    openPanel,
    shows: (text) => page.getByText(text).first().waitFor(),
    failNext: (of, message) => inPanel("Faults", () => addFault(of, "next", "error", message)),
    postAsColleague: () =>
      inPanel("Records", async () => {
        await control("Table").selectOption("shoutouts");
        await press("Add a record");
        await control("New record as JSON").fill(JSON.stringify(SHOUTOUT));
        await press("Add");
        await panel.getByRole("status").filter({ hasText: "Added." }).waitFor();
      }),
    setSpeed: (speed) =>
      inPanel("Faults", async () => {
        const faults = panel.getByRole("button", { name: /^Remove:/ });
        while (await faults.count() > 0) await faults.first().click();
        await control("Mirage's routes answer after (ms)").fill("0");
        if (speed === "at once") return;
        await addFault("all operations", "every", "delay", "600000");
        await addFault("all REST requests", "every", "delay", "600000");
      }),
    readLog: () =>
      inPanel("Requests", async () => {
        const lines = await panel.getByRole("list", { name: "Requests" }).locator(".line")
          .allInnerTexts();
        return lines.map((line) => line.replaceAll(/\s+/g, " ").replace(/, \d+ ms$/, ""));
      }),
    answered: (tab, title) =>
      inPanel(tab, () => panel.getByRole("button", { name: title }).first().waitFor()),
    checkAccess: (rules) => checkAccess(page, rules),
    async [Symbol.asyncDispose]() {
      await context.close();
      deepStrictEqual([faults.consoleErrors, faults.pageErrors], [[], []]);
    },
  };
}
