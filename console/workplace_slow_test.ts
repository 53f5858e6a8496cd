import { match, ok, strictEqual } from "node:assert/strict";
import type { Browser } from "playwright-core";
import { createFleet, startOn } from "../mcp_server/testing/fleet.ts";
import type { JobsServer } from "../mcp_server/testing/jobs_server.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { uniqueSleep, untilProcesses } from "../mcp_server/testing/processes.ts";
import { launchChromium } from "../test_support/browser/launch_chromium.ts";
import { hasProgram, requires, SERVICES } from "../test_support/services.ts";
import { type ConsoleTab, openConsole } from "./testing/console_tab.ts";

/** Set to `1`, it prints how long each task took. */
const PRINTS = Deno.env.get("TRESTLE_TASK_TIMES") === "1";
const LINES = 60_000;
const DAY = "86400000";

/** A task of an operator: the page shows the overview at its beginning. */
type Task = (tab: ConsoleTab) => Promise<void>;

/** Presses keys, one after the other. */
async function press(tab: ConsoleTab, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await tab.page.keyboard.press(key);
}

/** Presses Tab until what has the focus matches a selector and has a text, as its name or its own. */
async function tabTo(tab: ConsoleTab, selector: string, text: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await tab.page.keyboard.press("Tab");
    const found = await tab.page.evaluate(`(({ activeElement: at }) =>
      at.matches(${JSON.stringify(selector)}) &&
      ${text}.test(at.getAttribute("aria-label") ?? at.innerText ?? ""))(document)`);
    if (found) return;
  }
  throw new Error(`Cannot reach ${selector} ${text} with Tab`);
}

/** Opens a page by what the palette finds. */
async function goTo(tab: ConsoleTab, text: string): Promise<void> {
  await press(tab, "Control+k");
  await tab.page.keyboard.type(text);
  await tab.page.getByRole("dialog").getByRole("option", { name: text }).first().waitFor();
  await press(tab, "Enter");
  await tab.page.getByRole("dialog").waitFor({ state: "detached" });
}

async function measure(name: string, tab: ConsoleTab, task: Task): Promise<void> {
  await goTo(tab, "overview");
  await tab.role("heading", "Overview").waitFor();
  const startedAt = performance.now();
  await task(tab);
  if (PRINTS) console.log(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}

async function startTitled(server: JobsServer, title: string, more: object): Promise<string> {
  const response = await server.start({ tool: "exec-command", title, ...more });
  return (await response.json()).id;
}

const hasPostgres = hasProgram(SERVICES.postgresql.program);

Deno.test({
  ...requires("chromium", "the tasks of an operator are done in the console by the keyboard alone"),
  ...(hasPostgres ? {} : { ignore: true }),
  fn: async (t) => {
    await using postgres = await startPostgres();
    await using fleet = await createFleet(postgres);
    const env = { MCP_JOB_OUTPUT_BYTES: String(32 * 1024 * 1024) };
    const [one, two] = await Promise.all([fleet.join("one", env), fleet.join("two", env)]);
    const browser: Browser = await launchChromium();
    try {
      await using tab = await openConsole(browser, one.server.url, { path: "/" });
      await tab.role("heading", "Overview").waitFor();
      const step = (name: string, task: Task) => t.step(name, () => measure(name, tab, task));
      const sleep = uniqueSleep();

      const backup = await startTitled(one, "Nightly backup", {
        args: { command: "echo waiting for a lock of pid 4711 >&2; read go; exit 0" },
        stdin: true,
        on: "name:two",
      });

      const command = "echo building $TARGET; test -d /tmp/missing-folder-of-a-build";
      const build = await startTitled(one, "Build web-3", { args: { command } });
      strictEqual((await one.ended(build)).outcome, "failed");
      await postgres.ask(
        `UPDATE ${fleet.schema}.job SET created = created - ${DAY}, ` +
          `started = started - ${DAY}, ended = ended - ${DAY} WHERE id = '${build}'`,
      );
      const other = await startTitled(one, "Build web-4", { args: { command: "true" } });
      await one.ended(other);
      await step(
        "find the failed build of yesterday and run it again with one change",
        async () => {
          await press(tab, "g", "j");
          await tab.role("heading", "Jobs").waitFor();
          await press(tab, "/");
          await tab.page.keyboard.type("build");
          await tabTo(tab, "select", /running/);
          await tab.page.keyboard.type("failed");
          await tab.page.locator(`a[href="#/jobs/${other}"]`).waitFor({ state: "detached" });
          await tabTo(tab, "td a", /Build web-3/);
          await press(tab, "Enter");
          await tab.role("heading", "Build web-3").waitFor();
          await tabTo(tab, "button", /^Edit and run again$/);
          await press(tab, "Enter");
          await tab.field("command").waitFor();
          await tabTo(tab, '[id="field.command"]', /^/);
          await press(tab, "End", ..."-folder-of-a-build".split("").map(() => "Backspace"));
          await press(tab, ..."missing".split("").map(() => "Backspace"), "Control+Enter");
          await tab.page.locator(".summary .state-done").waitFor();
          await tab.outputs("building");
        },
      );

      await startOn(two, `sleep ${sleep}`, { on: "name:two" });
      await untilProcesses(`sleep\0${sleep}`, 1, 20_000);
      await step("stop a runaway command on another server", async () => {
        await press(tab, "g", "c");
        const row = tab.page.locator("tr", { has: tab.role("cell", "two") })
          .filter({ has: tab.role("button", /^Stop exec-command /) }).last();
        const id = await row.locator(".id").innerText();
        await tabTo(tab, "button", new RegExp(`^Stop exec-command ${id} `));
        await press(tab, "Enter");
        await tab.shows("Stop it on two?");
        await press(tab, "Tab", "Enter");
        await tab.shows(/^Stopped exec-command /);
        await untilProcesses(`sleep\0${sleep}`, 0, 20_000);
      });

      const text = "x".repeat(340);
      const noisy = await startTitled(one, "Noisy import", {
        args: {
          command: `awk 'BEGIN { for (n = 1; n <= ${LINES}; n++) print (n == 40000 ? ` +
            `"error: <b>row</b> 40000 is [broken]" : "line " n " ${text}") }'`,
          timeoutMs: 300_000,
        },
      });
      const { output } = await one.ended(noisy);
      ok(output.stdout.end > 20_000_000 && output.stdout.gap === undefined);
      await step("read the error at line 40,000 of 20 MB", async () => {
        await goTo(tab, "Noisy import");
        await tab.page.locator("header .state-completed").waitFor();
        await press(tab, "/");
        await tab.page.keyboard.type("error:");
        await press(tab, "Enter");
        await tab.shows("1 line");
        await tabTo(tab, "button.hit", /error:/);
        await press(tab, "Enter");
        const around = tab.page.locator(".hits pre");
        await around.locator("mark").waitFor();
        match(await around.innerText(), /line 39999 x+\nerror: <b>row<\/b> 40000 is \[broken\]\n/);
        strictEqual(await tab.page.locator(".hits b").count(), 0);
      });

      const ask = "printf 'Deploy to production? [y/N] '; read answer; echo answer: $answer";
      await startTitled(two, "Deploy", { args: { command: ask }, tty: true, on: "name:two" });
      await step("answer a question", async () => {
        await goTo(tab, "Deploy");
        const rows = tab.page.locator(".job-terminal .xterm-rows > div");
        await rows.getByText("Deploy to production? [y/N]").waitFor();
        await tab.page.locator(".job-terminal textarea:focus").waitFor();
        await tab.page.keyboard.type("yes");
        await press(tab, "Enter");
        await rows.getByText("answer: yes").waitFor();
        await tab.page.locator("header .state-completed").waitFor();
        await press(tab, "F6");
      });

      for (let n = 0; n < 3; n++) {
        await one.ended((await startOn(one, "true", { on: "name:one" })).id);
      }
      await one.send(`/api/jobs/${backup}/stdin`, { method: "POST", body: "go\n" });
      await one.ended(backup);
      await step("see why last night was slow", async () => {
        await press(tab, "g", "h");
        const tools = tab.page.getByRole("region", { name: "Tools" });
        const longest = tools.locator("td", { has: tab.page.locator(`[href="#/jobs/${backup}"]`) });
        await longest.getByText("on two").waitFor();
        await tabTo(tab, "button", /^day$/);
        await press(tab, "Enter");
        await tab.page.locator(".chart", { hasText: "Waiting" }).waitFor();
        await press(tab, "g", "c");
        await tab.role("heading", "History").waitFor();
        await tabTo(tab, "select", /longest/);
        await press(tab, "ArrowDown");
        await tab.page.locator(`tr:first-child a[href="#/jobs/${backup}"]`).waitFor();
        await tabTo(tab, "td a", /exec-command/);
        await press(tab, "Enter");
        await tab.role("heading", "Nightly backup").waitFor();
        await tab.outputs("waiting for a lock of pid 4711");
      });
    } finally {
      await browser.close();
    }
  },
});
