import { match } from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { ExampleTab, openExample } from "./example_tab.ts";

/** What a step gets: tabs with the served app. */
export interface Stage {
  readonly open: (path: string, options?: Parameters<typeof openExample>[2]) => Promise<ExampleTab>;
}

/** A step of the app's test: its name, and what it does. */
export type ExampleStep = readonly [name: string, run: (stage: Stage) => Promise<void>];

/** The cards of the visible people. */
export function cards({ page }: ExampleTab): Locator {
  return page.locator(".person-card");
}

/** The focused element, and the first line of its text that is not initials. */
export async function focused({ page }: ExampleTab): Promise<string> {
  const [name, text] = await page.evaluate(
    "[document.activeElement.tagName, document.activeElement.innerText]",
  ) as string[];
  return `${name} ${text?.split("\n").find((line) => !/^[A-Z]{2}$/.test(line))}`;
}

/** Waits until what `focused()` returns matches; fails after 200 attempts, which take over 10 s. */
export async function focuses(tab: ExampleTab, description: RegExp): Promise<void> {
  for (let left = 200; left > 0 && !description.test(await focused(tab)); left--) {
    await tab.page.waitForTimeout(50);
  }
  match(await focused(tab), description);
}

/** Waits until the page has received everything that it requested. */
export async function settled({ page }: ExampleTab): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".skeletons").waitFor({ state: "detached" });
}
