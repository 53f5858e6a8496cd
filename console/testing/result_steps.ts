import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { ConsoleTab } from "./console_tab.ts";
import type { ConsoleStep } from "./session_steps.ts";

/** A red square of one pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

async function run(tab: ConsoleTab, tool: string, args: object): Promise<void> {
  await tab.goTo(`/tools/${tool}`);
  await tab.role("heading", /./).and(tab.page.locator("article h2")).first().waitFor();
  await tab.page.locator("code.name").getByText(tool, { exact: true }).waitFor();
  await tab.field("The same as JSON").fill(JSON.stringify(args));
  await tab.role("button", "Run").click();
  await tab.page.locator(".run .state-done, .run .state-failed").waitFor();
}

/** What the results of calls look like. */
export const RESULT_STEPS: readonly ConsoleStep[] = [
  [
    "rows are a table that is sorted and saved, differences and images are what they are",
    async (site) => {
      const folder = `${site.folder}/results-${crypto.randomUUID()}`;
      await Deno.mkdir(folder);
      const names = ["a9.txt", "a10.txt", "<b>bold<", "=1+1"];
      for (const [at, name] of names.entries()) {
        await Deno.writeTextFile(`${folder}/${name}`, "x".repeat(at * 100));
      }
      await using tab = await site.open({ path: "/tools/list-files" });
      await run(tab, "list-files", { path: folder });
      const column = (at: number) => tab.page.locator(`.rows td:nth-child(${at})`).allInnerTexts();
      strictEqual((await column(1)).length, names.length);
      strictEqual(await tab.page.locator(".rows b").count(), 0);
      await tab.checkAccess();
      const heads = await tab.page.locator(".rows th").allInnerTexts();
      const size = heads.indexOf("size") + 1;
      await tab.role("button", "size").click();
      deepStrictEqual(await column(size), ["0", "100", "200", "300"]);
      await tab.role("button", "size").click();
      await tab.page.locator('th[aria-sort="descending"]').waitFor();
      deepStrictEqual(await column(size), ["300", "200", "100", "0"]);
      const [download] = await Promise.all([
        tab.page.waitForEvent("download"),
        tab.role("button", "CSV").click(),
      ]);
      const csv = await Deno.readTextFile(await download.path());
      match(csv, /^path,.*\r\n'=1\+1,/, "no spreadsheet runs the name of a file");

      const path = `${folder}/a9.txt`;
      await Deno.writeTextFile(path, "one\ntwo\nthree\n");
      const edits = [{ old: "two", new: "<i>2</i>" }];
      await run(tab, "edit-file", { path, edits });
      strictEqual(await tab.page.locator(".diff .removed").innerText(), "-two\n");
      strictEqual(await tab.page.locator(".diff .added").innerText(), "+<i>2</i>\n");

      await run(tab, "read-file", { path });
      strictEqual(await tab.page.locator(".part pre").innerText(), "one\n<i>2</i>\nthree\n");
      const image = `${folder}/red.png`;
      await Deno.writeFile(image, Uint8Array.fromBase64(PNG));
      await run(tab, "read-file", { path: image });
      await tab.page.locator(".part img").waitFor();
      await tab.page.evaluate("document.querySelector('.part img').decode()");
      await tab.checkAccess();
    },
  ],
  ["nothing of a result is shown twice", async (site) => {
    await using tab = await site.open({ path: "/tools/exec-command" });
    await tab.field("command").fill("echo once; exit 4");
    await tab.role("button", "Run").click();
    await tab.page.locator(".summary .state-failed").getByText("exit 4").waitFor();
    const text = await tab.page.locator(".run").innerText();
    strictEqual(text.split("once").length, 2, text);
    strictEqual(text.split("exit 4").length, 2, text);
  }],
];
