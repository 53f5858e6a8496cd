import { match, ok, strictEqual } from "node:assert/strict";
import { uniqueSleep, untilProcesses } from "../../mcp_server/testing/processes.ts";
import type { ConsoleSite } from "./console_site.ts";
import type { ConsoleTab } from "./console_tab.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** Calls of exec-command of which something fails, and what the console says of each. */
const FAILURES = [
  [{ commands: [{ command: "exit 3" }] }, "exit 3"],
  [{ commands: [{ command: "sleep 60" }], timeoutMs: 1 }, "timed out"],
  [{ commands: ["true", "false", "true"].map((command) => ({ command })) }, "1 of 3 failed"],
] as const;

/** The scrolled view; the page's policy forbids `waitForFunction()` to evaluate text. */
async function viewOf(tab: ConsoleTab): Promise<{ top: number; below: number; pages: number }> {
  return await tab.page.evaluate(`(({ scrollHeight, scrollTop, clientHeight }) => ({
    top: scrollTop,
    below: scrollHeight - scrollTop - clientHeight,
    pages: scrollHeight / clientHeight,
  }))(document.querySelector(".screen"))`);
}

/** Waits until a view is as told in four frames in a row, with the same place. */
async function untilView(
  tab: ConsoleTab,
  isRight: (view: Awaited<ReturnType<typeof viewOf>>) => boolean,
): Promise<void> {
  let [frames, before] = [0, -1];
  for (const end = performance.now() + 60_000; frames < 4;) {
    const view = await viewOf(tab);
    frames = isRight(view) && view.top === before ? frames + 1 : 0;
    before = view.top;
    if (performance.now() > end) throw new Error(`Cannot see it: ${JSON.stringify(view)}`);
    await tab.page.evaluate("new Promise(requestAnimationFrame)");
  }
}

/** Waits until the output shows its last line. */
const untilAtEnd = (tab: ConsoleTab) =>
  untilView(tab, ({ below, pages }) => pages > 2 && below <= 1);

async function startCall(site: ConsoleSite, args: object): Promise<string> {
  const response = await site.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({ tool: "exec-command", args }),
  });
  return (await response.json()).id;
}

/** Jobs. */
export const JOB_STEPS: readonly ConsoleStep[] = [
  ["a job goes on after a reload, takes input, and ends", async (site) => {
    await using tab = await site.open({ path: "/tools/exec-command", keep: true });
    await tab.field("command").fill("echo ready; read name; echo hello $name; cat; exit 2");
    await tab.field("that takes input").check();
    await tab.role("button", "Run as a job").click();
    await tab.outputs("ready");
    await tab.page.reload();
    await tab.outputs("ready");
    await tab.field("Input").fill("world");
    await tab.role("button", "Send").click();
    await tab.outputs("hello world");
    await tab.role("button", "Close the input").click();
    await tab.page.locator("header .state-failed").getByText("exit 2").waitFor();
    strictEqual(await tab.output(), "ready\nhello world\n");
    await tab.role("button", "Times").click();
    const times = await tab.page.locator(".screen .at").allInnerTexts();
    strictEqual(times.length, 2);
    for (const time of times) match(time, /\d\d:\d\d:\d\d$/);
    await tab.checkAccess();
    await tab.page.reload();
    await tab.outputs("ready");
    await tab.role("button", "Times").click();
    const id = tab.page.url().split("/").at(-1);
    const { parts: [part] } = await (await site.send(`/api/jobs/${id}/output`)).json();
    const kept = await tab.page.evaluate(
      `new Date(${JSON.stringify(part.at)}).toLocaleTimeString([], { hour12: false })`,
    );
    match(await tab.page.locator(".screen .at").first().innerText(), new RegExp(`${kept}$`));
  }],
  ["jobs are listed, filtered, opened and cancelled", async (site) => {
    const sleep = uniqueSleep();
    const id = await site.startJob(`echo up; sleep ${sleep}`);
    await using tab = await site.open({ path: "/jobs" });
    await tab.field("State").selectOption("lost");
    await tab.shows("There are no such jobs.");
    await tab.field("State").selectOption("running");
    await tab.field("Tool").selectOption("exec-command");
    await tab.page.locator(`a[href="#/jobs/${id}"]`).click();
    await tab.outputs("up");
    await tab.role("button", "Cancel").click();
    await tab.shows("cancelled");
    await untilProcesses(`sleep\0${sleep}`, 0, 20_000);
    await tab.role("button", "Forget").click();
    await tab.role("heading", "Jobs").waitFor();
    strictEqual((await site.send(`/api/jobs/${id}`)).status, 404);
  }],
  ["what failed of a job is its badge, in the list and on its page", async (site) => {
    await using tab = await site.open({ path: "/jobs" });
    for (const [args, failure] of FAILURES) {
      const id = await startCall(site, args);
      await tab.goTo("/jobs");
      const row = tab.page.locator("tr", { has: tab.page.locator(`a[href="#/jobs/${id}"]`) });
      await row.locator(".state-failed").getByText(failure, { exact: true }).waitFor();
      await tab.goTo(`/jobs/${id}`);
      await tab.page.locator("header .state-failed").getByText(failure, { exact: true }).waitFor();
    }
    await tab.checkAccess();
  }],
  [
    "output is followed from its end, also in another tab of it, until a person scrolls up",
    async (site) => {
      const id = await site.startJob(
        "seq 5000; seq 6000 >&2; while read n; do seq $n; echo end of $n; done",
        { stdin: true },
      );
      await using tab = await site.open({ path: `/jobs/${id}` });
      await tab.role("button", /^stdout/).click();
      const isFollowing = () => tab.role("button", "Follow").getAttribute("aria-pressed");
      const write = async (text: string) =>
        void await (await site.send(`/api/jobs/${id}/stdin`, { method: "POST", body: text }))
          .text();
      await tab.outputs("5000");
      await untilAtEnd(tab);
      await tab.role("button", /^stderr/).click();
      await tab.outputs("6000");
      await untilAtEnd(tab);
      await tab.role("button", /^stdout/).click();
      await untilAtEnd(tab);
      for (const count of [20_000, 30_000]) {
        await write(`${count}\n`);
        await tab.outputs(`end of ${count}`);
        await untilAtEnd(tab);
        strictEqual(await isFollowing(), "true");
      }
      await tab.page.setViewportSize({ width: 900, height: 500 });
      await untilAtEnd(tab);
      await tab.page.locator(".screen").hover();
      await tab.page.mouse.wheel(0, -300);
      await tab.page.locator('button[aria-pressed="false"]', { hasText: "Follow" }).waitFor();
      await untilView(tab, ({ below }) => below >= 299);
      const place = await tab.page.evaluate("document.querySelector('.screen').scrollTop");
      await write("10\n");
      await tab.outputs("end of 10");
      strictEqual(await tab.page.evaluate("document.querySelector('.screen').scrollTop"), place);
      await tab.role("button", "Follow").click();
      await untilAtEnd(tab);
      await write("20\n");
      await tab.outputs("end of 20");
      await untilAtEnd(tab);
      strictEqual(await isFollowing(), "true");
    },
  ],
  ["what failed of a call is its badge", async (site) => {
    await using tab = await site.open({ path: "/tools/exec-command" });
    for (const [args, failure] of FAILURES) {
      await tab.field("The same as JSON").fill(JSON.stringify(args));
      await tab.role("button", "Run").click();
      await tab.page.locator(".summary .state-failed").getByText(failure, { exact: true })
        .waitFor();
    }
  }],
  ["a running call is listed with who called, and stopped by the keyboard alone", async (site) => {
    const sleep = uniqueSleep();
    const id = await site.startJob(`sleep ${sleep}`);
    await untilProcesses(`sleep\0${sleep}`, 1, 10_000);
    await using tab = await site.open();
    await tab.role("link", "Calls").click();
    // What has ended is listed below, with the same link and without a button.
    const row = tab.page.locator("tr", { has: tab.page.locator(`a[href="#/jobs/${id}"]`) })
      .filter({ has: tab.page.getByRole("button", { name: /^Stop/ }) });
    match(await row.innerText(), /^exec-command [0-9a-f]{8}-\d+\s+default\s+\S+\s+job\s/);
    await tab.checkAccess();
    await row.getByRole("button", { name: /^Stop exec-command / }).focus();
    await tab.page.keyboard.press("Enter");
    await tab.page.keyboard.press("Tab");
    await tab.page.keyboard.press("Enter");
    await tab.shows(/^Stopped exec-command \S+ of default$/);
    await row.waitFor({ state: "detached" });
    await tab.page.locator("#content:focus").waitFor();
    await untilProcesses(`sleep\0${sleep}`, 0, 5_000);
    await tab.goTo(`/jobs/${id}`);
    await tab.shows("cancelled");
    await tab.shows("The call was stopped by an operator of the server");
  }],
  ["long output is paged back, with its gap, and saved as a whole", async (site) => {
    const id = await site.startJob("seq 300000; printf '\\303\\251\\n' >&2");
    await (await site.send(`/api/jobs/${id}?wait=60`, {
      headers: { "if-none-match": '"running-0-0"' },
    })).body?.cancel();
    await using tab = await site.open({ path: `/jobs/${id}` });
    await tab.shows("completed");
    await tab.role("button", /^stdout/).click();
    await tab.outputs("300000");
    for (let pages = 0; !(await tab.output()).includes("bytes are not kept"); pages++) {
      ok(pages < 10, "the gap is reached");
      const drawn = await tab.page.locator(".screen").getAttribute("data-revision");
      await tab.role("button", "Earlier output").click();
      await tab.page.locator(`.screen:not([data-revision="${drawn}"])`).waitFor();
    }
    await tab.role("button", "Earlier output").waitFor({ state: "detached" });
    const text = await tab.output();
    match(text, /^1\n2\n3\n/);
    match(text, /\n300000\n$/);
    const [download] = await Promise.all([
      tab.page.waitForEvent("download"),
      tab.role("button", "Download").click(),
    ]);
    const kept = await (await site.send(`/api/jobs/${id}/stdout`)).text();
    strictEqual(await Deno.readTextFile(await download.path()), kept);
    await tab.role("button", /^stderr/).click();
    await tab.outputs("é");
  }],
];
