import { match, ok, strictEqual } from "node:assert/strict";
import type { ConsoleTab } from "./console_tab.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** The browser settings of a phone. */
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** How the console behaves on a phone, by keyboard, in the dark, and without its server. */
export const QUALITY_STEPS: readonly ConsoleStep[] = [
  ["nothing is wider than a phone", async (site) => {
    const id = await site.startJob("seq -s, 1000");
    await using tab = await site.open({ ...PHONE, path: "/tools" });
    for (const path of [...PATHS, `/jobs/${id}`]) {
      await show(tab, path);
      strictEqual(await tab.page.evaluate("document.documentElement.scrollWidth"), 360, path);
    }
    await tab.goTo("/tools/exec-command");
    await tab.role("button", "Add to env").click();
    strictEqual(await tab.page.evaluate("document.documentElement.scrollWidth"), 360, "a map");
    await tab.role("link", "All tools").click();
    await tab.role("link", /^sql-query/).waitFor();
  }],
  ["a machine finds nothing that is not accessible, in light and in dark", async (site) => {
    const id = await site.startJob("printf '\\033[33mhi\\033[0m\\n'; echo no >&2");
    await using login = await site.open({ token: "" });
    await login.field("Token").waitFor();
    await login.checkAccess();
    await using tab = await site.open();
    for (const path of [...PATHS, `/jobs/${id}`]) {
      await show(tab, path);
      await tab.checkAccess();
    }
    await tab.page.emulateMedia({ colorScheme: "dark" });
    await tab.checkAccess(["color-contrast"]);
    await show(tab, "/tools/exec-command");
    await tab.checkAccess(["color-contrast"]);
  }],
  ["the keyboard alone is enough", async (site) => {
    await using tab = await site.open({ token: "" });
    await tab.field("Token").waitFor();
    await tab.page.keyboard.type("console-test-token");
    await tab.page.keyboard.press("Enter");
    await tab.role("button", "Log out").waitFor();
    strictEqual(await tab.page.evaluate("document.activeElement.id"), "content");
    await tab.role("link", "Skip to content").focus();
    await tab.page.keyboard.press("Enter");
    strictEqual(await tab.page.evaluate("document.activeElement.id"), "content");
    strictEqual(new URL(tab.page.url()).hash, "#/tools");
    await tab.page.keyboard.press("Tab");
    await tab.page.keyboard.type("bash");
    await tab.page.keyboard.press("Tab");
    await tab.page.keyboard.press("Enter");
    await tab.field("script*").press("e");
    await tab.page.keyboard.type("cho typed");
    await tab.page.keyboard.press("Control+Enter");
    await tab.outputs("typed");
    await tab.page.locator(".screen").focus();
    ok(await tab.page.evaluate("document.activeElement.matches('.screen:focus-visible')"));
  }],
  ["the colors are what the person chooses, also next time", async (site) => {
    await using tab = await site.open({ keep: true });
    await tab.role("button", "Colors: auto").click();
    await tab.role("button", "Colors: light").click();
    await tab.page.reload();
    await tab.role("button", "Colors: dark").waitFor();
    const paper = tab.page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    strictEqual(await paper, "rgb(20, 24, 29)");
  }],
];

const PATHS = [
  "/",
  "/tools",
  "/tools/exec-command",
  "/tools/every-field",
  "/calls",
  "/approvals",
  "/jobs",
  "/servers",
  "/health",
  "/access",
];

async function show(tab: ConsoleTab, path: string): Promise<void> {
  await tab.goTo(path);
  if (path.startsWith("/tools/")) await tab.role("button", "Run").waitFor();
  else if (/^\/jobs\/./.test(path)) await tab.shows("completed");
  else await tab.page.getByRole("heading", { level: 1 }).waitFor();
}

/** What happens when the server is away; nothing else can use it meanwhile. */
export const RESTART_STEP: ConsoleStep = [
  "a restart of the server is shown, and everything goes on after it",
  async (site) => {
    const id = await site.startJob("echo before; sleep 100");
    await using job = await site.open({ path: `/jobs/${id}` });
    await job.outputs("before");
    await using call = await site.open({ path: "/tools/exec-command" });
    await call.field("command").fill("echo called; sleep 100");
    await call.role("button", "Run").click();
    await call.outputs("called");
    await site.stop();
    await call.shows(/The server does not answer\. Trying again/);
    await job.shows(/The server does not answer\. Trying again/);
    await site.start();
    await call.shows("The server is back.");
    await job.page.locator(".state-failed").waitFor();
    match(await job.page.locator(".notice").innerText(), /SHUTTING_DOWN/);
    match(await call.page.locator(".run .summary").innerText(), /^(broken|failed)/);
    await call.field("command").fill("echo again");
    await call.role("button", "Run").click();
    await call.outputs("again");
    await call.page.locator(".summary .state-done").waitFor();
  },
];
