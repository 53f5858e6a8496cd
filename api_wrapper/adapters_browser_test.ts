import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { openPage } from "../test_support/browser/browser_page.ts";
import { requires } from "../test_support/services.ts";
import { createPostsSite } from "./testing/posts_site.ts";
import { EXPECTED_OUTPUT } from "./testing/expected_output.ts";
import { untilFailed } from "./testing/until_failed.ts";

const page = (name: string) => new URL(`./testing/browser/${name}`, import.meta.url);

/** Answers requests below `/api` and leaves the others to the page. */
function createApiSite() {
  const site = createPostsSite("/api");
  const isApi = (request: Request) => new URL(request.url).pathname.startsWith("/api/");
  return { site, handle: (request: Request) => isApi(request) ? site.handle(request) : undefined };
}

for (const adapter of ["xhr", "fetch"]) {
  for (const language of ["TypeScript", "JavaScript"]) {
    Deno.test({
      ...requires("chromium", `the recommended set-up in ${language} runs in Chromium, ${adapter}`),
      fn: async () => {
        const { handle } = createApiSite();
        const path = `/?adapter=${adapter}&language=${language}`;
        await using tab = await openPage(page("examples_page.ts"), { path, handle });
        deepStrictEqual(
          JSON.parse(await tab.page.locator("p").textContent() ?? ""),
          EXPECTED_OUTPUT,
        );
        deepStrictEqual([tab.pageErrors, tab.consoleErrors], [[], []]);
      },
    });
  }

  Deno.test({
    ...requires("chromium", `cancelPendingRequests() ends a request in Chromium, ${adapter}`),
    fn: async () => {
      const { site, handle } = createApiSite();
      await using tab = await openPage(page("cancel_page.ts"), {
        path: `/?adapter=${adapter}`,
        handle,
      });
      await tab.page.getByText("start").click();
      await site.arrived("GET /api/slow/7");
      await tab.page.getByText("cancel").click();
      strictEqual(await tab.page.locator("li").textContent(), "true why why");
      await site.hungUp("GET /api/slow/7");
      await untilFailed(tab, 1);
      deepStrictEqual(tab.failedRequests, ["GET /api/slow/7 net::ERR_ABORTED"]);
      deepStrictEqual([tab.pageErrors, tab.consoleErrors], [[], []]);
    },
  });
}
