import { deepStrictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { requires } from "../../test_support/services.ts";

const PAGE = new URL("../testing/passing_page.ts", import.meta.url);
const PEOPLE = '"people":[{"name":"Ada"}]';
const TOTAL = '{"data":{"total":7}}';

Deno.test({
  ...requires("chromium", "passthrough and mergeInto reach the network from a page in Chromium"),
  fn: async () => {
    const asked: string[] = [];
    await using tab = await openPage(PAGE, {
      async handle(request) {
        if (request.method !== "POST") return undefined;
        asked.push((await request.json()).query.replace(/\s+/g, " "));
        return new Response(TOTAL, { headers: { "Content-Type": "application/json" } });
      },
    });
    await tab.page.waitForFunction("'passOn' in globalThis");
    const answers = {
      mocked: `{"data":{${PEOPLE}}}`,
      passed: TOTAL,
      passedByXhr: TOTAL,
      merged: `{"data":{"total":7,${PEOPLE}}}`,
      fetchHandler: TOTAL,
    };
    deepStrictEqual(await tab.page.evaluate("passOn()"), { mirage: answers, ours: answers });
    const total = "query Total { total }";
    const once = [total, total, "{ total }", total];
    deepStrictEqual(asked, [...once, ...once]);
    deepStrictEqual([tab.consoleErrors, tab.pageErrors], [[], []]);
  },
});
