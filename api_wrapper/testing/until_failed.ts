import type { OpenPage } from "../../test_support/browser/browser_page.ts";

/** Resolves when the given number of a page's requests have failed. */
export async function untilFailed(
  { page, failedRequests }: OpenPage,
  count: number,
): Promise<void> {
  while (failedRequests.length < count) await page.waitForEvent("requestfailed");
}
