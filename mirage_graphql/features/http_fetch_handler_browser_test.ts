import { deepStrictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { requires } from "../../test_support/services.ts";

const PAGE = new URL("../testdata/pages/fetch_handler.ts", import.meta.url);

Deno.test({
  ...requires(
    "chromium",
    "createFetchHandler() answers in a page whose requests Mirage intercepts",
  ),
  fn: async () => {
    await using tab = await openPage(PAGE);
    const answers = await tab.page.locator("output").textContent();
    deepStrictEqual(JSON.parse(answers ?? ""), {
      isReplaced: true,
      streamed: ':\n\nevent: next\ndata: {"data":{"personCreated":{"name":"Zoë"}}}\n\n',
      people: { data: { people: [{ name: "Zoë" }] } },
      large: 413,
    });
    deepStrictEqual([tab.consoleErrors, tab.pageErrors], [[], []]);
  },
});
