import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { uniqueSleep, untilProcesses } from "../../mcp_server/testing/processes.ts";
import { type ConsoleSite, TOKEN } from "./console_site.ts";
import type { ConsoleTab } from "./console_tab.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** Starts a job with a title, and returns its id. */
async function startTitled(
  site: ConsoleSite,
  title: string,
  command: string,
  more: object = {},
): Promise<string> {
  const response = await site.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({
      tool: "exec-command",
      args: { command, ...more },
      title,
    }),
  });
  return (await response.json()).id;
}

/** Resolves once a job has ended. */
async function ended(site: ConsoleSite, id: string): Promise<string> {
  for (;;) {
    const { state } = await (await site.send(`/api/jobs/${id}?wait=20`)).json();
    if (state !== "queued" && state !== "running") return state;
  }
}

const rowOf = (tab: ConsoleTab, id: string) =>
  tab.page.locator("tr", { has: tab.page.locator(`a[href="#/jobs/${id}"]`) });

/** Lists of jobs. */
export const LIST_STEPS: readonly ConsoleStep[] = [
  [
    "a failed job is found by its title, and run again with one change, by the keyboard alone",
    async (site) => {
      const [build, other] = [crypto.randomUUID(), crypto.randomUUID()];
      const command = "echo built; exit 3";
      const id = await startTitled(site, `<b>Build</b> ${build}`, command);
      await ended(site, id);
      await ended(site, await startTitled(site, other, "true"));
      await using tab = await site.open({ path: "/jobs" });
      await tab.field("Find").focus();
      await tab.page.keyboard.type(build.toUpperCase());
      await tab.role("link", new RegExp(other)).waitFor({ state: "detached" });
      await tab.field("State").selectOption("failed");
      const row = rowOf(tab, id);
      await row.getByText("exit 3").waitFor();
      strictEqual(await row.locator("b").count(), 0);
      await tab.checkAccess();
      await row.getByRole("link").focus();
      await tab.page.keyboard.press("Enter");
      await tab.role("button", "Edit and run again").focus();
      await tab.page.keyboard.press("Enter");
      const field = tab.field("command");
      await field.waitFor();
      strictEqual(await field.inputValue(), command);
      await field.fill("echo built");
      await tab.page.keyboard.press("Control+Enter");
      await tab.page.locator(".summary .state-done").waitFor();
    },
  ],
  [
    "a job is started again from the list, unless something of its arguments is missing",
    async (site) => {
      const title = crypto.randomUUID();
      const id = await startTitled(site, title, "echo again");
      await ended(site, id);
      await using tab = await site.open({ path: "/jobs" });
      await tab.field("Find").fill(title);
      await rowOf(tab, id).getByRole("button", { name: "Again" }).click();
      await tab.outputs("again");
      await tab.role("heading", title).waitFor();
      strictEqual(new URL(tab.page.url()).hash.includes(id), false);
      const masked = await startTitled(site, title, "true", { env: { REGION: "eu" } });
      await ended(site, masked);
      await tab.goTo(`/jobs/${masked}`);
      await tab.role("button", "Again").click();
      await tab.shows(/variables and input of the earlier run are not kept/);
      await tab.checkAccess();
    },
  ],
  ["many jobs are cancelled and forgotten at once, after a question", async (site) => {
    const title = crypto.randomUUID();
    const sleep = uniqueSleep();
    const live = await Promise.all(
      [1, 2, 3].map((n) => startTitled(site, `${title} ${n}`, `sleep ${sleep}`)),
    );
    await untilProcesses(`sleep\0${sleep}`, 3, 20_000);
    await using tab = await site.open({ path: "/jobs" });
    await tab.shows(/^\d+ running, \d+ queued$/);
    await tab.field("Find").fill(title);
    for (const n of [1, 2]) await tab.role("checkbox", `Select ${title} ${n}`).check();
    await tab.role("button", "Cancel 2 selected").click();
    await tab.role("button", "No").click();
    await tab.role("button", "Cancel 2 selected").click();
    await tab.role("button", "Yes").click();
    await untilProcesses(`sleep\0${sleep}`, 1, 20_000);
    await rowOf(tab, live[0] ?? "").getByText("cancelled").waitFor();
    await rowOf(tab, live[1] ?? "").getByText("cancelled").waitFor();
    await tab.role("button", "Clear finished").click();
    await tab.shows("Forget 2 jobs and their output?");
    await tab.role("button", "Yes").click();
    await rowOf(tab, live[0] ?? "").waitFor({ state: "detached" });
    const { jobs } = await (await site.send(`/api/jobs?search=${title}`)).json();
    deepStrictEqual(jobs.map(({ id }: { id: string }) => id), live.slice(2));
    await site.send(`/api/jobs/${live[2]}/cancel`, { method: "POST" });
  }],
  [
    "both streams are shown as they were written, and a line is found in all of the output",
    async (site) => {
      const command = "echo first; read x; echo second >&2; read x; echo third; read x; " +
        "seq -f 'line %.0f' 60000; echo '<b>error</b> [42]' >&2; seq 3000";
      const id = await site.startJob(command, { stdin: true });
      await using tab = await site.open({ path: `/jobs/${id}` });
      for (const line of ["first", "second", "third"]) {
        await tab.outputs(line);
        await site.send(`/api/jobs/${id}/stdin`, { method: "POST", body: "\n" });
      }
      await ended(site, id);
      await tab.page.locator("header .state-completed").waitFor();
      await tab.page.reload();
      await tab.logIn(TOKEN);
      await tab.outputs("3000");
      await tab.field("Search").fill("<B>error</b> [4");
      await tab.page.keyboard.press("Enter");
      await tab.shows("1 line");
      await tab.role("button", /^stderr 7 /).click();
      strictEqual(await tab.page.locator("mark").innerText(), "<b>error</b> [42]");
      strictEqual(await tab.page.locator("main b").count(), 0);
      await tab.checkAccess();
      await tab.field("Search").fill("line 40000");
      await tab.page.keyboard.press("Enter");
      await tab.role("button", /line 40000$/).click();
      const around = await tab.page.locator(".hits pre").innerText();
      strictEqual(around.includes("line 39999\nline 40000\nline 40001"), true, around);
      for (let pages = 0; !(await tab.output()).includes("first"); pages++) {
        if (pages > 20) throw new Error("Cannot reach the beginning");
        const drawn = await tab.page.locator(".screen").getAttribute("data-revision");
        await tab.role("button", "Earlier output").click();
        await tab.page.locator(`.screen:not([data-revision="${drawn}"])`).waitFor();
      }
      const text = await tab.output();
      strictEqual(text.slice(0, 26), "first\nsecond\nthird\nline 1\n");
      strictEqual(text.includes("\n3000\n"), true);
      const [download] = await Promise.all([
        tab.page.waitForEvent("download"),
        tab.role("button", "Download").click(),
      ]);
      strictEqual(await Deno.readTextFile(await download.path()) === text, true);
      await tab.role("button", "Wrap").click();
      await tab.page.locator(".screen.unwrapped").waitFor();
    },
  ],
];
