import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type ConsoleSite, READER_TOKEN, TOKEN } from "./console_site.ts";

/** A step of the console's test: its name, and what it does. */
export type ConsoleStep = readonly [name: string, run: (site: ConsoleSite) => Promise<void>];

/** Calls a tool with a token. */
async function call(site: ConsoleSite, token: string): Promise<void> {
  await (await site.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ tool: "job-list", args: {} }),
  })).text();
}

/** Who may use the console. */
export const SESSION_STEPS: readonly ConsoleStep[] = [
  ["a wrong token is refused, and the right one is forgotten with the page", async (site) => {
    await using tab = await site.open({ token: "" });
    await tab.logIn("wrong-token");
    await tab.shows("The server does not know this token.");
    strictEqual(await tab.role("link", "Tools").count(), 0);
    await tab.logIn(TOKEN);
    await tab.role("link", /^exec-command/).waitFor();
    strictEqual(await tab.page.evaluate("sessionStorage.length + document.cookie.length"), 0);
    await tab.page.reload();
    await tab.field("Token").waitFor();
  }],
  ["a token is kept on request until it is given up", async (site) => {
    await using tab = await site.open({ keep: true });
    await tab.page.reload();
    await tab.role("button", "Log out").click();
    await tab.field("Token").waitFor();
    strictEqual(await tab.page.evaluate("sessionStorage.length"), 0);
  }],
  ["the caller and its rights are shown", async (site) => {
    await using tab = await site.open({ path: "/access" });
    await tab.shows(/You may do everything/);
    match(await tab.page.locator("main").innerText(), /You are default, logged in with a token\./);
    const callers = tab.page.getByRole("region", { name: "Callers" });
    const row = callers.locator("tr", { hasText: "reader" });
    await row.getByText("tools: read-file, job-*").click();
    match(await row.innerText(), /main: ro/);
    await tab.checkAccess();
    await call(site, READER_TOKEN);
    await row.getByText(/^job-list, /).waitFor();
  }],
  ["a caller with few rights sees its tools, its rights, and no numbers", async (site) => {
    await using tab = await site.open({ token: READER_TOKEN });
    await tab.role("link", /^read-file/).waitFor();
    strictEqual(await tab.role("link", /^exec-command/).count(), 0);
    await tab.goTo("/access");
    await tab.shows("main: ro");
    match(await tab.page.locator(".rights").innerText(), /Hosts\s+none/);
    strictEqual(await tab.page.getByRole("region", { name: "Callers" }).count(), 0);
    const refused = await site.send("/api/callers", {
      headers: { authorization: `Bearer ${READER_TOKEN}` },
    });
    deepStrictEqual([refused.status, (await refused.json()).code], [403, "NOT_ALLOWED"]);
    await tab.goTo("/health");
    await tab.shows("This server shows no metrics to you.");
  }],
  ["the servers that share the jobs are listed", async (site) => {
    const { servers } = await (await site.send("/api/servers")).json();
    await using tab = await site.open();
    await tab.role("link", "Servers").click();
    await tab.role("cell", servers[0].name).waitFor();
    await tab.role("cell", "ready").waitFor();
    await tab.role("cell", servers[0].version).waitFor();
  }],
  ["the server's numbers are charts", async (site) => {
    await using tab = await site.open({ path: "/health" });
    await tab.shows("Commands running");
    await tab.page.locator(".chart", { hasText: "Memory" }).getByText(/^\d.* MiB$/).waitFor();
    strictEqual(await tab.page.locator(".chart path:not(.threshold)").count(), 8);
    const { servers: [health] } = await (await site.send("/api/health")).json();
    const server = tab.page.getByRole("region", { name: "Servers" }).locator("tbody tr");
    match(await server.innerText(), new RegExp(`^${health.server}\\s+ready\\s`));
    await (await site.send("/api", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tool: "job-output", args: { jobId: "none" } }),
    })).text();
    const tools = tab.page.getByRole("region", { name: "Tools" });
    await tools.getByRole("button", { name: "by failures" }).click();
    await tools.locator("tr", { hasText: "job-output" }).getByText(/^[1-9]\d* \(/).waitFor();
    await tab.role("button", "hour").click();
    await tab.page.locator(".chart", { hasText: "Waiting" }).getByText("high from 10").waitFor();
    await tab.checkAccess();
    await tab.role("button", "day").click();
    await tab.page.locator(".chart", { hasText: "Calls that failed" }).waitFor();
  }],
  ["the page loads nothing from elsewhere", async (site) => {
    await using tab = await site.open();
    const origins = await tab.page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin)",
    ) as string[];
    deepStrictEqual([...new Set(origins)], [site.url]);
  }],
];
