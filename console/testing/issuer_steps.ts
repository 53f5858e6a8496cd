import { match, ok, strictEqual } from "node:assert/strict";
import { ACCOUNT } from "../../mcp_server/testing/issuer.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** Log-in at an issuer. */
export const ISSUER_STEPS: readonly ConsoleStep[] = [
  [
    "a person logs in at the issuer, is led back to the page, and leaves no token in the tab",
    async (site) => {
      await using tab = await site.open({ token: "", path: "/access" });
      await tab.shows(/Or log in at 127\.0\.0\.1/);
      await tab.checkAccess();
      await tab.field("As an administrator").check();
      await tab.page.clock.install();
      await tab.role("button", "Log in at the issuer").click();
      await tab.shows(`You are ${ACCOUNT}`);
      match(await tab.page.locator(".rights").first().innerText(), /tools:exec\s*admin/);
      strictEqual(tab.page.url(), `${site.url}/#/access`);
      strictEqual(await tab.page.evaluate("sessionStorage.length + document.cookie.length"), 0);
      strictEqual(await tab.page.evaluate("localStorage.length"), 0);
      const renewed = tab.page.waitForResponse(`${site.issuer.url}/token`);
      await tab.page.clock.fastForward(280_000);
      strictEqual((await renewed).status(), 200);
      await tab.goTo("/health");
      await tab.shows("Commands running");
      await tab.page.reload();
      await tab.field("Token").waitFor();
      await tab.role("button", "Log in at the issuer").click();
      await tab.role("button", "Log out").click();
      await tab.field("Token").waitFor();
    },
  ],
  ["what the issuer did not answer in this tab is refused", async (site) => {
    await using tab = await site.open({ token: "" });
    const asked: string[] = [];
    tab.page.on("request", (request) => void asked.push(request.url()));
    await tab.page.goto(`${site.url}/?code=stolen&state=guessed#/tools`);
    await tab.shows("Cannot log in at the issuer: this tab has not asked for it");
    strictEqual(new URL(tab.page.url()).search, "");
    await tab.role("button", "Log in at the issuer").click({ trial: true });
    const state = { state: "asked", verifier: "v".repeat(43), hash: "#/jobs" };
    const item = JSON.stringify(JSON.stringify(state));
    for (
      const [query, fault] of [
        ["code=a&state=other", /unexpected "state"/],
        ["error=access_denied&state=asked", /it answered with access_denied/],
      ] as const
    ) {
      await tab.page.evaluate(`sessionStorage.setItem("trestle.login", ${item})`);
      await tab.page.goto(`${site.url}/?${query}&iss=${site.issuer.url}`);
      await tab.page.locator(".fault", { hasText: fault }).waitFor();
      strictEqual(await tab.page.evaluate("sessionStorage.length"), 0);
    }
    strictEqual(asked.includes(`${site.issuer.url}/token`), false, "no code went to the issuer");
    ok(asked.includes(`${site.url}/console/login.json`));
  }],
];
