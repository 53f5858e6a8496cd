import { match, strictEqual } from "node:assert/strict";
import type { ConsoleSite } from "./console_site.ts";
import { ASKER_TOKEN, READER_TOKEN } from "./console_site.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** Calls exec-command, and returns once it has ended. */
async function call(site: ConsoleSite, args: object): Promise<void> {
  const response = await site.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tool: "exec-command", args }),
  });
  await response.body?.cancel();
}

/** What the server does and has done. */
export const OVERVIEW_STEPS: readonly ConsoleStep[] = [
  ["the first page has what runs and failed, numbers, and how clients connect", async (site) => {
    const id = await site.startJob("exit 9");
    await (await site.send(`/api/jobs/${id}?wait=20`)).body?.cancel();
    await using tab = await site.open({
      path: "/",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await tab.role("heading", "Overview").waitFor();
    const failed = tab.page.getByRole("region", { name: "Failed last" });
    await failed.locator(`a[href="#/jobs/${id}"]`).waitFor();
    await failed.getByText("exit 9").first().waitFor();
    await tab.page.getByRole("region", { name: "Recent jobs" }).waitFor();
    strictEqual(await tab.page.locator(".chart").count(), 4);
    await tab.checkAccess();
    await tab.role("button", "Copy for Claude Code").click();
    await tab.shows("Copied");
    const command = await tab.page.evaluate("navigator.clipboard.readText()") as string;
    match(command, /^claude mcp add --transport http trestle http:\/\/.*\/mcp --header "/);
    strictEqual(/console-test-token/.test(command), false, "no token is shown");
  }],
  ["a caller who is no admin has no numbers on the first page", async (site) => {
    await using tab = await site.open({ path: "/", token: READER_TOKEN });
    await tab.role("heading", "Connect your client").waitFor();
    await tab.shows("There are no jobs yet.");
    strictEqual(await tab.page.locator(".chart").count(), 0);
  }],
  ["calls that have ended are listed, found by outcome, and link to their jobs", async (site) => {
    await call(site, { command: "true" });
    await call(site, { command: 1 });
    const id = await site.startJob("true");
    await (await site.send(`/api/jobs/${id}?wait=20`)).body?.cancel();
    await using tab = await site.open({ path: "/calls" });
    const rows = tab.page.getByRole("region", { name: "History" }).locator("tbody tr");
    await rows.getByText("INVALID_ARGUMENTS").first().waitFor();
    await rows.locator(`a[href="#/jobs/${id}"]`).waitFor();
    await tab.field("Find a call").fill("invalid_arg");
    await rows.locator(`a[href="#/jobs/${id}"]`).waitFor({ state: "detached" });
    await rows.getByText("INVALID_ARGUMENTS").first().waitFor();
    await tab.checkAccess();
    const own = await site.send("/api/history", {
      headers: { authorization: `Bearer ${ASKER_TOKEN}` },
    });
    const { calls } = await own.json();
    strictEqual(calls.every(({ caller }: { caller: string }) => caller === "asker"), true);
    const refused = await site.send("/api/figures", {
      headers: { authorization: `Bearer ${READER_TOKEN}` },
    });
    strictEqual(refused.status, 403);
    await refused.body?.cancel();
  }],
  ["keys jump, search, and find tools, jobs and pages", async (site) => {
    const title = `Hostile <b>job</b> ${crypto.randomUUID()}`;
    const response = await site.send("/api", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "respond-async, wait=20" },
      body: JSON.stringify({ tool: "exec-command", args: { command: "true" }, title }),
    });
    const id = response.headers.get("location")?.split("/").at(-1);
    await response.body?.cancel();
    await using tab = await site.open({ path: "/" });
    await tab.role("heading", "Overview").waitFor();
    await tab.page.keyboard.press("g");
    await tab.page.keyboard.press("j");
    await tab.role("heading", "Jobs").waitFor();
    strictEqual(await tab.page.title(), "Trestle · jobs");
    await tab.page.keyboard.press("/");
    strictEqual(await tab.page.evaluate("document.activeElement.id"), "search");
    await tab.page.keyboard.type("g?");
    strictEqual(await tab.field("Find").inputValue(), "g?");
    await tab.page.keyboard.press("Control+k");
    const palette = tab.page.getByRole("dialog", { name: "Go to" });
    await palette.waitFor();
    await tab.page.keyboard.type("sql-q");
    await palette.getByRole("option", { name: /sql-query/ }).waitFor();
    await tab.checkAccess();
    await tab.page.keyboard.press("Enter");
    await tab.page.locator("code.name").getByText("sql-query", { exact: true }).waitFor();
    await palette.waitFor({ state: "detached" });
    await tab.page.keyboard.press("Control+k");
    await tab.page.keyboard.type(title.slice(-12));
    const job = palette.getByRole("option", { name: title });
    await job.waitFor();
    strictEqual(await job.locator("b").count(), 0);
    await tab.page.keyboard.press("Enter");
    await tab.role("heading", title).waitFor();
    strictEqual(new URL(tab.page.url()).hash, `#/jobs/${id}`);
    await tab.page.locator("header .state-completed").waitFor();
    strictEqual(await tab.page.title(), `Trestle · ${title} · completed`);
    await tab.page.locator("#content").focus();
    await tab.page.keyboard.press("?");
    await tab.page.getByRole("dialog", { name: "Keys" }).getByText("g j").waitFor();
    await tab.checkAccess();
    await tab.page.keyboard.press("Escape");
    await tab.page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  }],
];
