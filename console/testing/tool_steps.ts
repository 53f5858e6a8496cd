import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { uniqueSleep, untilProcesses } from "../../mcp_server/testing/processes.ts";
import type { ConsoleStep } from "./session_steps.ts";

const HOSTILE = String
  .raw`<img src=x onerror=\"document.title='owned'\">\033[8m<script>\033]0;t\007`;

/** Calls of tools. */
export const TOOL_STEPS: readonly ConsoleStep[] = [
  [
    "a tool is found, its output shown while it runs, with colors, and then its result",
    async (site) => {
      await using tab = await site.open();
      const gate = `${site.folder}/gate-${crypto.randomUUID()}`;
      await tab.field("Find a tool").fill("EXEC-C");
      await tab.page.locator(".list li").nth(1).waitFor({ state: "detached" });
      await tab.role("link", /^exec-command/).click();
      await tab.field("command").fill(
        `printf '\\033[31mred\\033[0m plain\\n'; until [ -e ${gate} ]; do sleep 0.05; done; ` +
          "echo late; echo problem >&2; exit 3",
      );
      await tab.role("button", "Run").click();
      await tab.outputs("red");
      await tab.shows("running");
      strictEqual(await tab.page.locator(".screen .fg-1").innerText(), "red");
      await Deno.writeTextFile(gate, "");
      await tab.outputs("late");
      await tab.shows("exit 3");
      strictEqual(await tab.page.locator(".screen .stderr").innerText(), "problem\n");
      strictEqual(await tab.page.locator(".result pre").count(), 0);
      const [download] = await Promise.all([
        tab.page.waitForEvent("download"),
        tab.page.locator(".output").getByRole("button", { name: "Download" }).click(),
      ]);
      strictEqual(download.suggestedFilename(), "exec-command.txt");
      match(await Deno.readTextFile(await download.path()), /^red plain\nlate\nproblem\n$/);
    },
  ],
  ["hostile output stays text", async (site) => {
    await using tab = await site.open({ path: "/tools/bash-script" });
    await tab.field("script*").fill(`printf "${HOSTILE}"; printf '\\033[2Jend'`);
    await tab.role("button", "Run").click();
    await tab.outputs("end");
    match(await tab.output(), /^<img src=x onerror="document.title='owned'"><script>end$/m);
    strictEqual(await tab.page.locator(".screen img, .screen script").count(), 0);
    match(await tab.page.title(), /^Trestle · bash-script · (running|done)$/);
  }],
  ["a link hides nothing of the arguments that it brings", async (site) => {
    const args = { script: "echo \u202e/ fr- # \u200b", cwd: "/srv\u2066/x" };
    const address = encodeURIComponent(JSON.stringify(args));
    await using tab = await site.open({ path: `/tools/bash-script?args=${address}` });
    const hidden = tab.page.locator(".hidden-text code");
    await hidden.nth(1).waitFor({ state: "attached" });
    const shown = await hidden.allTextContents();
    deepStrictEqual(shown.toSorted(), ["/srv\\u2066/x", "echo \\u202e/ fr- # \\u200b"]);
    const json = await tab.field("The same as JSON").inputValue();
    deepStrictEqual([/[^\n -~]/.test(json), JSON.parse(json)], [false, args]);
    await tab.field("script*").fill("echo");
    await hidden.nth(1).waitFor({ state: "detached" });
  }],
  ["a hostile tool, its result and its error are text", async (site) => {
    await using tab = await site.open({ path: "/tools/hostile-texts" });
    const harmless = async (where: string) => {
      strictEqual(await tab.page.locator("main img, main b").count(), 0, where);
      match(await tab.page.title(), /^Trestle · /, where);
    };
    await tab.role("heading", /^title <img src=x/).waitFor();
    await tab.shows(/^description <img src=x/);
    await tab.shows(/^field <img src=x/);
    await harmless("the form");
    await tab.role("button", "Run").click();
    await tab.role("cell", /^cell <img src=x/).waitFor();
    await tab.role("columnheader", /column <img src=x/).waitFor();
    await harmless("the result");
    await tab.field("fails").check();
    await tab.role("button", "Run").click();
    await tab.page.locator(".notice").getByText(/error <img src=x/).waitFor();
    await harmless("the error");
    await tab.role("button", "Run as a job").click();
    await tab.page.locator(".notice").getByText(/error <img src=x/).waitFor();
    await harmless("the job");
    await tab.goTo("/health");
    const tools = tab.page.getByRole("region", { name: "Tools" });
    await tools.getByText("hostile-texts").waitFor();
    await harmless("the health page");
  }],
  ["a call is cancelled with its processes, and copied", async (site) => {
    await using tab = await site.open({
      path: "/tools/exec-command",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const sleep = uniqueSleep();
    await tab.field("command").fill(`echo started; sleep ${sleep}`);
    await tab.role("button", "Run").click();
    await tab.outputs("started");
    await tab.role("link", "Jobs").click();
    await tab.goTo("/tools/exec-command");
    await tab.outputs("started");
    await tab.role("button", "Cancel").click();
    await tab.shows("cancelled");
    await untilProcesses(`sleep\0${sleep}`, 0, 20_000);
    await tab.page.locator(".output").getByRole("button", { name: "Copy" }).click();
    await tab.shows("Copied");
    strictEqual(await tab.page.evaluate("navigator.clipboard.readText()"), "started\n");
  }],
  ["every kind of field is in the form, with the JSON beside", async (site) => {
    await using tab = await site.open({ path: "/tools/every-field" });
    await tab.field("text*").fill("hello");
    await tab.field("level").selectOption("high");
    await tab.field("count").fill("7");
    await tab.field("urgent").check();
    await tab.role("button", "Add names 1").click();
    await tab.field("names 1").fill("Ada");
    await tab.role("button", "Add names 2").click();
    await tab.role("button", "Remove names 2").click();
    await tab.role("button", "Add place").click();
    await tab.field("city*").fill("Gdynia");
    await tab.role("button", "Add to extra").click();
    await tab.field("name").fill("KEY");
    await tab.field("value").fill("v");
    await tab.field("amount").selectOption("string");
    await tab.field("amount (string)*").fill("ten");
    await tab.field("shape").selectOption('"square"');
    await tab.field("side*").fill("4");
    await tab.field("anything").fill("[1, null]");
    const json = tab.field("The same as JSON");
    const expected = {
      text: "hello",
      level: "high",
      count: 7,
      urgent: true,
      names: ["Ada"],
      place: { city: "Gdynia" },
      extra: { KEY: "v" },
      amount: "ten",
      shape: { kind: "square", side: 4 },
      anything: [1, null],
    };
    deepStrictEqual(JSON.parse(await json.inputValue()), expected);
    await json.fill(JSON.stringify({ ...expected, text: "changed" }));
    strictEqual(await tab.field("text*").inputValue(), "changed");
    await tab.role("button", "Run").click();
    const result = tab.page.locator(".result pre");
    deepStrictEqual(JSON.parse(await result.innerText()).args, { ...expected, text: "changed" });
  }],
  ["arguments that are wrong are marked in the form", async (site) => {
    await using tab = await site.open({ path: "/tools/every-field" });
    await tab.role("button", "Run").click();
    strictEqual(await tab.page.locator(".run").count(), 0);
    await tab.field("The same as JSON").fill('{"text": "a", "level": "none"}');
    await tab.role("button", "Run").click();
    await tab.page.locator(".field .fault").waitFor();
    ok(await tab.page.locator('[id="field.level"][aria-invalid="true"]').count() === 1);
    await tab.shows("INVALID_ARGUMENTS");
  }],
];
