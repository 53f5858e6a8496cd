import { deepStrictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { requires } from "../../test_support/services.ts";

const ENTRY = new URL("../testing/browser_route.ts", import.meta.url);

Deno.test({
  ...requires("chromium", "the route handler answers a page in Chromium through Mirage"),
  fn: async () => {
    await using tab = await openPage(ENTRY);
    await tab.page.waitForFunction("'askRoute' in globalThis");
    const answers = await tab.page.evaluate("askRoute()");
    const hello = [200, "application/json; charset=utf-8", '{"data":{"hello":"Hello, Zoë"}}'];
    deepStrictEqual(answers, {
      network: "TypeError: Network request failed",
      networkOfXhr: ["error", "onerror", 0],
      timeout: "AbortError",
      uploaded: [200, "application/json; charset=utf-8", '{"data":{"read":"Zoë"}}'],
      posted: hello,
      got: hello,
      text: 415,
      bad: 400,
    });
  },
});
