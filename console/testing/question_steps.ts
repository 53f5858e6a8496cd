import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { ConsoleSite } from "./console_site.ts";
import type { ConsoleStep } from "./session_steps.ts";

async function startAsking(site: ConsoleSite): Promise<string> {
  const response = await site.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({ tool: "ask-person", args: {} }),
  });
  return (await response.json()).id;
}

/** Questions of jobs. */
export const QUESTION_STEPS: readonly ConsoleStep[] = [
  ["what a job asks is answered on its page, by the keyboard alone, or declined", async (site) => {
    const [id, other] = [await startAsking(site), await startAsking(site)];
    await using tab = await site.open({ path: `/jobs/${id}` });
    const question = tab.page.getByRole("region", { name: "Question" });
    await question.getByText("Deploy <b>where</b>?").waitFor();
    strictEqual(await tab.page.locator("main b").count(), 0);
    await tab.checkAccess();
    await tab.field("where*").focus();
    await tab.page.keyboard.type("prod");
    await tab.page.keyboard.press("Tab");
    await tab.page.keyboard.type("on Friday");
    await tab.page.keyboard.press("Control+Enter");
    await tab.page.locator("header .state-completed").waitFor();
    await question.waitFor({ state: "detached" });
    const { result } = await (await site.send(`/api/jobs/${id}`)).json();
    deepStrictEqual(result.reply, {
      action: "accept",
      content: { where: "production", note: "on Friday" },
    });
    await tab.goTo(`/jobs/${other}`);
    await question.getByRole("button", { name: "Decline" }).click();
    await tab.page.locator("header .state-completed").waitFor();
    const declined = await (await site.send(`/api/jobs/${other}`)).json();
    deepStrictEqual(declined.result.reply, { action: "decline" });
  }],
];
