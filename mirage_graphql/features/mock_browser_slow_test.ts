import { deepStrictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { requires } from "../../test_support/services.ts";

const PAGE = new URL("../testing/mock_page.ts", import.meta.url);

Deno.test({
  ...requires("chromium", "a mock without a Mirage server leaves a page's globals as they are"),
  fn: async () => {
    await using tab = await openPage(PAGE, {
      handle: ({ url }) => /real$/.test(url) ? new Response("real") : undefined,
    });
    await tab.page.waitForFunction("'useMock' in globalThis");
    deepStrictEqual(await tab.page.evaluate("useMock()"), {
      answer: { data: { people: [{ name: "Ada" }] } },
      added: [],
      changed: [],
      isXhrNative: true,
      network: "real",
    });
    deepStrictEqual([tab.consoleErrors, tab.pageErrors], [[], []]);
  },
});
