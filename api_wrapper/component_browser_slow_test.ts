import { deepStrictEqual } from "node:assert/strict";
import { type OpenPage, openPage } from "../test_support/browser/browser_page.ts";
import { requires } from "../test_support/services.ts";
import { createHeldSite, type HeldSite } from "./testing/held_site.ts";
import { untilFailed } from "./testing/until_failed.ts";

const PAGE = new URL("./testing/browser/app_page.ts", import.meta.url);

/** Tests the app in Chromium, which must end without an uncaught error. */
function testApp(
  name: string,
  path: string,
  fn: (tab: OpenPage, site: HeldSite) => Promise<void>,
): void {
  Deno.test({
    ...requires("chromium", `a component in Chromium ${name}`),
    fn: async () => {
      const site = createHeldSite();
      await using tab = await openPage(PAGE, { path, handle: site.handle });
      await fn(tab, site);
      deepStrictEqual(tab.pageErrors, []);
      const refused = /the server responded with a status of/;
      deepStrictEqual(tab.consoleErrors.filter((text) => !refused.test(text)), []);
    },
  });
}

/** Waits until the page shows a text. */
async function shows({ page }: OpenPage, ...texts: string[]): Promise<void> {
  for (const text of texts) await page.getByText(text, { exact: true }).waitFor();
}

function click({ page }: OpenPage, text: string): Promise<void> {
  return page.getByText(text, { exact: true }).click();
}

testApp(
  "shows loading, then data, and keeps data while it reloads",
  "/posts/1",
  async (tab, site) => {
    await shows(tab, "loading: true", "data: undefined");
    await site.answer("GET /api/posts/1", { title: "One" });
    await shows(tab, "loading: false", "data: One", "error: undefined");
    await click(tab, "/posts/2");
    await shows(tab, "loading: true", "data: One");
    await site.answer("GET /api/posts/2", { title: "Two" });
    await shows(tab, "loading: false", "data: Two");
  },
);

testApp("shows an error, which the next call clears", "/posts/1", async (tab, site) => {
  await site.answer("GET /api/posts/1", { message: "none" }, 404);
  await shows(tab, "loading: false", "error: Request failed with status code 404");
  await click(tab, "/posts/2");
  await shows(tab, "loading: true", "error: undefined");
});

testApp(
  "keeps the answer of the latest call, whichever arrives last",
  "/posts/1",
  async (tab, site) => {
    await site.arrived("GET /api/posts/1");
    await click(tab, "/posts/2");
    await site.answer("GET /api/posts/2", { title: "Two" });
    await shows(tab, "loading: false", "data: Two");
    const late = tab.page.waitForResponse("**/api/posts/1");
    await site.answer("GET /api/posts/1", { title: "One" });
    await (await late).finished();
    await click(tab, "/posts/3");
    await shows(tab, "loading: true", "data: Two");
  },
);

testApp("aborts its GET when it is unmounted", "/posts/1", async (tab, site) => {
  await site.arrived("GET /api/posts/1");
  await click(tab, "/");
  await shows(tab, "Home");
  await site.hungUp("GET /api/posts/1");
  await untilFailed(tab, 1);
  deepStrictEqual(tab.failedRequests, ["GET /api/posts/1 net::ERR_ABORTED"]);
});

testApp("lets its POST continue when it is unmounted", "/posts/1", async (tab, site) => {
  await site.answer("GET /api/posts/1", { title: "One" });
  await shows(tab, "data: One");
  await click(tab, "add");
  await site.arrived("POST /api/posts");
  await click(tab, "/");
  await shows(tab, "Home");
  await site.answer("POST /api/posts", { id: 4 }, 201);
  await shows(tab, "added: 201");
  deepStrictEqual(tab.failedRequests, []);
});

testApp("stops loading on abort(), without an error", "/posts/1", async (tab, site) => {
  await site.arrived("GET /api/posts/1");
  await click(tab, "abort");
  await shows(tab, "loading: false", "data: undefined", "error: undefined");
  await site.hungUp("GET /api/posts/1");
  await untilFailed(tab, 1);
  deepStrictEqual(tab.failedRequests, ["GET /api/posts/1 net::ERR_ABORTED"]);
});

testApp("does not cancel requests of others on a route change", "/posts/1", async (tab, site) => {
  await click(tab, "get");
  await site.arrived("GET /api/posts/all");
  await click(tab, "/");
  await site.hungUp("GET /api/posts/1");
  await untilFailed(tab, 1);
  deepStrictEqual(tab.failedRequests, ["GET /api/posts/1 net::ERR_ABORTED"]);
});

testApp("cancels all other requests on a route change", "/posts/1?cancel", async (tab, site) => {
  await click(tab, "get");
  await site.arrived("GET /api/posts/all");
  await click(tab, "/");
  await shows(tab, "Home", "The route has changed");
  await site.hungUp("GET /api/posts/all");
  await untilFailed(tab, 2);
  deepStrictEqual(tab.failedRequests.toSorted(), [
    "GET /api/posts/1 net::ERR_ABORTED",
    "GET /api/posts/all net::ERR_ABORTED",
  ]);
});
