import { deepStrictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { requires } from "../../test_support/services.ts";

const PAGE = new URL("../testing/interceptor_page.ts", import.meta.url);

Deno.test({
  ...requires(
    "chromium",
    "createFetchInterceptor() streams in a page, and Mirage answers the rest",
  ),
  fn: async () => {
    await using tab = await openPage(PAGE, {
      handle: ({ url }) => /real$/.test(url) ? new Response("real") : undefined,
    });
    await tab.page.waitForFunction("'useBoth' in globalThis");
    const people = '{"data":{"people":[{"name":"Ada"},{"name":"Zoë"}]}}';
    deepStrictEqual(await tab.page.evaluate("useBoth()"), {
      event: 'event: next\ndata: {"data":{"personCreated":{"name":"Zoë"}}}\n\n',
      posted: [[200, people], [200, people]],
      movies: [[200, '["7"]'], [200, '["7"]']],
      passed: [[200, "real"], [200, "real"], [200, "real"], [200, "real"]],
      isNative: true,
      isRestored: true,
    });
    deepStrictEqual([tab.consoleErrors, tab.pageErrors], [[], []]);
  },
});
