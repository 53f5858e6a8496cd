import { match, strictEqual } from "node:assert/strict";
import type { ConsoleTab } from "./console_tab.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** Waits until the address has a text; it changes a moment after the form. */
async function untilAddress(tab: ConsoleTab, part: RegExp): Promise<string> {
  for (const end = performance.now() + 60_000; performance.now() < end;) {
    const address = decodeURIComponent(await tab.page.evaluate("location.href") as string);
    if (part.test(address)) return address;
    await tab.page.evaluate("new Promise(requestAnimationFrame)");
  }
  throw new Error(`Cannot see ${part} in the address ${tab.page.url()}`);
}

/** Changes the form, and follows a link when the timer of that change is due, but before it runs. */
const LEAVE_CHANGED = `(async () => {
  const field = document.querySelector('[id="field.command"]');
  field.value = "echo left";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await Promise.resolve();
  setTimeout(() => document.querySelector(".detail .back").click());
  for (const end = performance.now() + 500; performance.now() < end;);
})()`;

/** How tools are run. */
export const RUN_STEPS: readonly ConsoleStep[] = [
  [
    "a script is edited with numbers of lines and Tab, and its address is that of the same form",
    async (site) => {
      await using tab = await site.open({ path: "/tools/bash-script", keep: true });
      const script = tab.field("script*");
      await script.focus();
      await tab.page.keyboard.type("if true; then");
      await tab.page.keyboard.press("Enter");
      await tab.page.keyboard.press("Tab");
      await tab.page.keyboard.type("echo shared");
      await tab.page.keyboard.press("Enter");
      await tab.page.keyboard.type("fi");
      const text = "if true; then\n  echo shared\nfi";
      strictEqual(await script.inputValue(), text);
      strictEqual(await tab.page.locator(".numbers").innerText(), "1\n2\n3");
      await tab.page.keyboard.press("Escape");
      await tab.page.keyboard.press("Tab");
      strictEqual(await tab.page.evaluate("document.activeElement.id"), "field.cwd");
      await tab.role("button", "Add to env").click();
      await tab.field("name").fill("TOKEN_OF_ENV");
      await tab.field("value").fill("hidden");
      await tab.field("Time-out in seconds").fill("2.5");
      const address = await untilAddress(tab, /"timeoutMs":2500/);
      match(address, /echo shared/);
      strictEqual(/hidden|TOKEN_OF_ENV/.test(address), false, "variables are in no address");
      await tab.checkAccess();
      await tab.page.reload();
      await tab.role("button", "Run").waitFor();
      strictEqual(await script.inputValue(), text);
      strictEqual(await tab.field("Time-out in seconds").inputValue(), "2.5");
      await tab.role("button", "Run").click();
      await tab.outputs("shared");
      await tab.goTo("/jobs");
      await tab.role("heading", "Jobs").waitFor();
      await tab.page.goBack();
      await tab.role("button", "Run").waitFor();
      strictEqual(await script.inputValue(), text);
      await tab.role("button", "Log out").click();
      await tab.field("Token").waitFor();
      strictEqual(await tab.page.evaluate("sessionStorage.length"), 0);
    },
  ],
  ["a link is followed also from a form that was just changed", async (site) => {
    await using tab = await site.open({ path: "/tools/exec-command" });
    await tab.field("command").waitFor();
    await tab.page.evaluate(LEAVE_CHANGED);
    await tab.field("command").waitFor({ state: "detached" });
    strictEqual(new URL(tab.page.url()).hash, "#/tools");
  }],
  ["recent runs are run again, and edited without what is not kept", async (site) => {
    await using tab = await site.open({ path: "/tools/exec-command" });
    await tab.field("command").fill("echo one");
    await tab.role("button", "Run").click();
    await tab.outputs("one");
    await tab.page.locator(".summary .state-done").waitFor();
    await tab.field("The same as JSON").fill(
      JSON.stringify({ command: "echo two", env: { KEY: "hidden" } }),
    );
    await tab.role("button", "Run").click();
    await tab.outputs("two");
    await tab.page.locator(".summary .state-done").waitFor();
    const kept = await tab.page.evaluate("JSON.stringify(sessionStorage)") as string;
    strictEqual(kept.includes("hidden"), false);
    await tab.role("button", "Edit run 1").click();
    await tab.shows(/variables and input of the earlier run are not kept/);
    strictEqual(await tab.field("command").inputValue(), "echo two");
    strictEqual(await tab.role("button", "Again, run 1").count(), 0);
    await tab.checkAccess();
    await tab.role("button", "Again, run 2").click();
    await tab.outputs("one");
    strictEqual(await tab.field("command").inputValue(), "echo one");
  }],
  ["an address that is no arguments opens the form as it is", async (site) => {
    await using tab = await site.open({ path: "/tools/exec-command?args=%7B%22broken" });
    await tab.role("button", "Run").waitFor();
    strictEqual(await tab.field("command").inputValue(), "");
    await tab.goTo(`/tools/exec-command?args=${encodeURIComponent('{"command":"echo linked"}')}`);
    await tab.page.locator("textarea").first().and(tab.field("command")).waitFor();
    await untilAddress(tab, /echo linked/);
    for (let frames = 0; await tab.field("command").inputValue() !== "echo linked"; frames++) {
      if (frames > 3_000) throw new Error("Cannot see the arguments of the address");
      await tab.page.evaluate("new Promise(requestAnimationFrame)");
    }
    strictEqual(await tab.page.locator(".run").count(), 0, "a link runs nothing");
  }],
];
