import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { watchFaults } from "../../test_support/browser/browser_page.ts";
import { launchChromium } from "../../test_support/browser/launch_chromium.ts";
import { requires } from "../../test_support/services.ts";
import { createPanelProject, PANEL_PAGES } from "./testing/panel_project.ts";

/** A bound, not an expectation. */
const DEADLINE_MS = 120_000;

const NAME = "the panel works over Vite in a plain page, in Vue and in React";

Deno.test({
  ...requires("chromium", requires("node", NAME).name),
  fn: async (t) => {
    await using project = await createPanelProject();

    await t.step("a production build has nothing of it", async () => {
      const entries = ["none", "dynamic", "mock", "static"];
      const [none, dynamic, mock, bound] = await project.build(entries);
      match(String(none), /built/);
      strictEqual(dynamic, none);
      strictEqual(bound, mock);
    });

    await t.step("in development each page has it", async () => {
      const url = await project.serve();
      const browser = await launchChromium();
      try {
        for (const name of PANEL_PAGES) {
          const page = await browser.newPage();
          page.setDefaultTimeout(DEADLINE_MS);
          const { consoleErrors, pageErrors } = watchFaults(page);
          await page.goto(`${url}/${name}.html`);
          await page.locator("#app").filter({ hasText: "Ada" }).waitFor();
          await page.keyboard.press("Alt+Shift+KeyM");
          const panel = page.getByRole("region", { name: "Mock panel", exact: true });
          await panel.getByRole("button", { name: /^query People answered/ }).first().waitFor();
          await page.evaluate("fetch('/api/rooms').then((response) => response.text())");
          await panel.getByRole("button", { name: /^GET \/api\/rooms 200/ }).waitFor();
          deepStrictEqual([consoleErrors, pageErrors], [[], []], name);
          await page.close();
        }
      } finally {
        await browser.close();
      }
    });
  },
});
