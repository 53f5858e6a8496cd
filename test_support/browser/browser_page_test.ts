import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { requires } from "../services.ts";
import { openPage } from "./browser_page.ts";

const ENTRY = new URL("./testdata/faults.ts", import.meta.url);
const SITE = {
  files: { "/style.css": "p {}" },
  handle: (request: Request) =>
    request.url.endsWith("/answer") ? new Response("answered") : undefined,
};

Deno.test({
  ...requires("chromium", "openPage() runs a module with its packages, files and handler"),
  fn: async () => {
    await using tab = await openPage(ENTRY, { ...SITE, path: "/a/b" });
    strictEqual(await tab.page.locator("#app p").textContent(), "/a/b p {} answered");
    deepStrictEqual([tab.consoleErrors, tab.pageErrors, tab.failedRequests], [[], [], []]);
  },
});

Deno.test({
  ...requires(
    "chromium",
    "openPage() collects logged, thrown and rejected errors, and failed requests",
  ),
  fn: async () => {
    await using tab = await openPage(ENTRY, { ...SITE, path: "/faults" });
    await tab.page.getByText("done").waitFor();
    while (tab.pageErrors.length < 2) await tab.page.waitForEvent("pageerror");
    while (tab.failedRequests.length < 1) await tab.page.waitForEvent("requestfailed");
    deepStrictEqual(tab.consoleErrors, ["told"]);
    deepStrictEqual(tab.pageErrors.map(({ message }) => message).sort(), ["rejected", "thrown"]);
    deepStrictEqual(tab.failedRequests, ["GET /slow?a=1 net::ERR_ABORTED"]);
  },
});

Deno.test("openPage() reports what can't be bundled", async () => {
  await rejects(
    openPage(new URL("./testdata/none.ts", import.meta.url)),
    /^Error: Cannot bundle ".*none\.ts": /,
  );
});
