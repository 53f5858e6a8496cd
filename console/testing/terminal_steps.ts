import { match, strictEqual } from "node:assert/strict";
import type { ConsoleTab } from "./console_tab.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** Waits until the terminal shows a text; its rows are drawn some frames after their text has come. */
async function untilDrawn(tab: ConsoleTab, text: RegExp): Promise<void> {
  await tab.page.locator(".job-terminal .xterm-rows > div").getByText(text).first().waitFor();
}

/** Terminals of jobs. */
export const TERMINAL_STEPS: readonly ConsoleStep[] = [
  [
    "a job's question is answered in its terminal, which draws colors, and is left",
    async (site) => {
      await using tab = await site.open({ path: "/tools/exec-command" });
      const command = String.raw`printf '\033[31mred\033[0m \033[38;2;1;2;3mexact\033[0m\n'; ` +
        "printf '<b>Deploy?</b> [y/N] '; read answer; echo answer: $answer; stty size; exit 4";
      await tab.field("command").fill(command);
      await tab.field("on a terminal").check();
      await tab.role("button", "Run as a job").click();
      await untilDrawn(tab, /<b>Deploy\?<\/b> \[y\/N\]/);
      strictEqual(await tab.page.locator(".job-terminal b").count(), 0);
      const colors = await tab.page.evaluate(`["red", "exact"].map((text) => getComputedStyle(
      [...document.querySelectorAll(".job-terminal .xterm-rows span")]
        .find(({ textContent }) => textContent === text)).color)`);
      strictEqual(String(colors), "rgb(179, 38, 30),rgb(1, 2, 3)");
      await tab.checkAccess();
      await tab.page.locator(".job-terminal textarea:focus").waitFor();
      await tab.page.keyboard.type("yes");
      await tab.page.keyboard.press("Enter");
      await untilDrawn(tab, /answer: yes/);
      await untilDrawn(tab, /24 80/);
      await tab.page.locator("header .state-failed").getByText("exit 4").waitFor();
      await tab.page.keyboard.press("F6");
      strictEqual(await tab.page.evaluate("document.activeElement.innerText"), "terminal");
      await tab.page.keyboard.press("Tab");
      await tab.page.keyboard.press("Enter");
      await tab.outputs("answer: yes");
      match(await tab.output(), /^red exact\n<b>Deploy\?<\/b> \[y\/N\] yes\nanswer: yes\n24 80\n$/);
    },
  ],
  [
    "a terminal answers what a program asks it once, and not each time that its page is opened",
    async (site) => {
      await using tab = await site.open({ path: "/tools/exec-command" });
      const command = String.raw`printf 'ready\n'; read go; printf '\033[6nasked\n'; read reply; ` +
        'echo "reply of ${#reply}"; read answer; echo "answer of ${#answer}"';
      await tab.field("command").fill(command);
      await tab.field("on a terminal").check();
      await tab.role("button", "Run as a job").click();
      await untilDrawn(tab, /ready/);
      const enter = async (text: string) => {
        await tab.page.locator(".job-terminal textarea:focus").waitFor();
        await tab.page.keyboard.type(text);
        await tab.page.keyboard.press("Enter");
      };
      await enter("");
      await untilDrawn(tab, /asked/);
      await enter("");
      await untilDrawn(tab, /reply of [1-9]/);
      const path = new URL(tab.page.url()).hash.slice(1);
      await tab.goTo("/tools");
      await tab.shows("exec-command");
      await tab.goTo(path);
      await untilDrawn(tab, /reply of/);
      await enter("yes");
      await untilDrawn(tab, /answer of 3/);
    },
  ],
];
