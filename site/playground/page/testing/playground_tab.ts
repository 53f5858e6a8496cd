import { deepStrictEqual } from "node:assert/strict";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { type PageFaults, watchFaults } from "../../../../test_support/browser/browser_page.ts";
import { checkAccess } from "../../../../test_support/browser/check_access.ts";

const DEADLINE_MS = 120_000;

/** The playground in a window; nothing may have gone wrong in it when it is closed. */
export class PlaygroundTab implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #faults: PageFaults;
  /** Requests to other hosts. */
  readonly foreign: string[] = [];

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.#context = context;
    this.page = page;
    page.setDefaultTimeout(DEADLINE_MS);
    this.#faults = watchFaults(page);
    page.on("request", (request) => {
      const url = new URL(request.url());
      const isOwn = url.origin === origin || url.protocol === "blob:" || url.protocol === "data:";
      if (!isOwn) this.foreign.push(request.url());
    });
  }

  /** Opens an address in a new tab of a window. */
  static async open(context: BrowserContext, url: string): Promise<PlaygroundTab> {
    const tab = new PlaygroundTab(context, await context.newPage(), new URL(url).origin);
    await tab.page.goto(url);
    return tab;
  }

  /** An address that the page may not ask, as a test tries. @default {none} */
  refused: string | undefined;

  /** The editor of the schema. */
  get schema(): Locator {
    return this.page.getByRole("textbox", { name: "GraphQL schema", exact: true });
  }

  /** Waits until the schema is mocked, or has a fault. */
  async verdict(text: string | RegExp): Promise<void> {
    await this.page.locator(".verdict").filter({ hasText: text }).waitFor();
  }

  /** Shows a tab of the mock. */
  async show(tab: "Records" | "Requests" | "Resolvers" | "Share"): Promise<void> {
    await this.page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
  }

  /** Runs the only operation in GraphiQL, or the one of a name, once it knows it. */
  async run(operationName?: string): Promise<void> {
    const { page } = this;
    await page.locator(".graphiql-query-editor .view-line").first().waitFor();
    if (operationName === undefined) {
      return await page.locator(".graphiql-execute-button:not([aria-haspopup])").click();
    }
    await page.locator('.graphiql-execute-button[aria-haspopup="menu"]').click();
    await page.getByRole("menuitem", { name: operationName, exact: true }).click();
  }

  /** Waits until the latest request has a state. */
  async answered(state: string | RegExp): Promise<void> {
    await this.page.locator(".log li").first().locator(".state").filter({ hasText: state })
      .waitFor();
  }

  /** Runs all checks of accessibility. */
  async checkAccess(): Promise<void> {
    await checkAccess(this.page);
  }

  /** Whether the page is no wider than its window. */
  async fits(): Promise<boolean> {
    return await this.page.evaluate(
      "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    ) as boolean;
  }

  /** Connects the window to the network, or cuts it off. */
  async setOffline(isOffline: boolean): Promise<void> {
    await this.#context.setOffline(isOffline);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
    const { consoleErrors, pageErrors } = this.#faults;
    const { refused } = this;
    const isUnexpected = (text: string) => refused === undefined || !text.includes(refused);
    deepStrictEqual(
      [consoleErrors.filter(isUnexpected), pageErrors, this.foreign.filter(isUnexpected)],
      [[], [], []],
    );
  }
}
