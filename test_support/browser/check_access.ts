import axe from "axe-core";
import { deepStrictEqual } from "node:assert/strict";
import type { Page } from "playwright-core";

/** Waits until no color transition is running. */
const AT_REST = `new Promise(requestAnimationFrame).then(() =>
  Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))`;

/**
 * Runs automatic accessibility checks on a page that has no endless animation: all rules, or some of
 * them. Rejects with the elements that violate one.
 */
export async function checkAccess(page: Page, rules?: readonly string[]): Promise<void> {
  await page.evaluate(AT_REST);
  if (await page.evaluate("typeof axe") === "undefined") await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ["violations"], runOnly: rules });
  // what a page passes is several times as large as the page
  const found = await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  ) as axe.Result[];
  const violations = found.map(({ id, nodes }) => [
    id,
    ...nodes.map(({ html }) => html),
  ]);
  const url = page.url();
  deepStrictEqual({ url, violations }, { url, violations: [] });
}
