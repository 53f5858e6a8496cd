import { deepStrictEqual } from "node:assert/strict";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { bundle } from "../../test_support/browser/bundle.ts";
import { requires } from "../../test_support/services.ts";

const PAGE = new URL("../testing/service_worker_page.ts", import.meta.url);
const WORKER = new URL("../testing/service_worker_mock.ts", import.meta.url);

Deno.test({
  ...requires("chromium", "the fetch handler answers from a service worker"),
  fn: async () => {
    const files = { "/worker.js": await bundle(WORKER) };
    await using tab = await openPage(PAGE, { files });
    await tab.page.evaluate(
      'navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready.then(() => 1))',
    );
    // a page is controlled only after its next load
    await tab.page.reload();
    const answers = await tab.page.evaluate('import("/entry.js").then((page) => page.askWorker())');
    deepStrictEqual(answers, {
      query: { data: { people: [{ name: "Ada" }] } },
      page: 501,
      events: 'event: next\ndata: {"data":{"personCreated":{"name":"Zoë"}}}',
    });
    deepStrictEqual(tab.pageErrors, []);
  },
});
