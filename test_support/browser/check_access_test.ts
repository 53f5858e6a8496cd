import { rejects } from "node:assert/strict";
import { requires } from "../services.ts";
import { openPage } from "./browser_page.ts";
import { checkAccess } from "./check_access.ts";

const ENTRY = new URL("./testdata/faults.ts", import.meta.url);

const FAULTY = `document.body.innerHTML =
  '<main><h1>Page</h1><img src="data:,"><p style="color: #ddd; background: #fff">pale</p></main>'`;
const PALE = `document.querySelector("img").remove()`;
const CORRECT = `document.querySelector("p").style.color = "#000"`;

Deno.test({
  ...requires(
    "chromium",
    "checkAccess() names the elements that violate all rules, or the given ones",
  ),
  fn: async () => {
    await using tab = await openPage(ENTRY);
    await tab.page.locator("#app p").waitFor();
    await tab.page.evaluate(FAULTY);
    await rejects(checkAccess(tab.page), /'image-alt',\W+<img src="data:,">/);
    await rejects(checkAccess(tab.page), /'color-contrast',\W+<p style=/);
    await checkAccess(tab.page, ["document-title"]);
    await tab.page.evaluate(PALE);
    await rejects(checkAccess(tab.page, ["color-contrast"]), /'color-contrast'/);
    await tab.page.evaluate(CORRECT);
    await checkAccess(tab.page);
  },
});
