import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { ASKER_TOKEN, type ConsoleSite, READER_TOKEN } from "./console_site.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** Starts a call that needs approval; resolves with its answer. */
async function ask(site: ConsoleSite, command: string): Promise<Record<string, unknown>> {
  const response = await site.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${ASKER_TOKEN}` },
    body: JSON.stringify({ tool: "exec-command", args: { commands: [{ command }] } }),
  });
  return await response.json();
}

/** Markup that would change the page, and a text that shows in another order than it is. */
const HOSTILE = '<img src=x onerror="document.title=1"><b>ok</b> \u202eevil # ';

/** What waits for approval. */
export const APPROVAL_STEPS: readonly ConsoleStep[] = [
  [
    "a call that waits is shown with its arguments as text, approved, and declined",
    async (site) => {
      await using tab = await site.open({ path: "/approvals" });
      await tab.role("heading", "Approvals").waitFor();
      const first = ask(site, `echo approved # ${HOSTILE}`);
      await tab.page.locator("pre").getByText("echo approved").waitFor();
      const text = await tab.page.locator("pre").innerText();
      match(text, /<img src=x onerror=\\"document.title=1\\"><b>ok<\/b> \\u202eevil # /);
      strictEqual(await tab.page.locator("main img, main b").count(), 0);
      await tab.checkAccess();
      await tab.role("button", "Approve exec-command of asker").click();
      match(JSON.stringify(await first), /"stdout":"approved\\n"/);
      await tab.shows("approved");

      const second = ask(site, "echo declined");
      await tab.page.locator("pre").getByText("echo declined").waitFor();
      strictEqual(await tab.page.locator("pre").count(), 2);
      await tab.role("button", "Decline exec-command of asker").focus();
      await tab.page.keyboard.press("Enter");
      deepStrictEqual((await second).code, "NEEDS_APPROVAL");
      await tab.shows("declined");
      await tab.goTo("/calls");
      await tab.role("heading", "Calls").waitFor();
      await tab.goTo("/approvals");
      await tab.shows("No call waits for approval.");
    },
  ],
  ["a caller who may not decide has no page of what waits", async (site) => {
    await using tab = await site.open({ token: READER_TOKEN });
    await tab.role("link", /^read-file/).waitFor();
    strictEqual(await tab.role("link", "Approvals").count(), 0);
  }],
];
