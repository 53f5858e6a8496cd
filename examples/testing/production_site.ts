import { strictEqual } from "node:assert/strict";
import type { Browser } from "playwright-core";
import { startExampleServer } from "./example_server.ts";
import { openExample } from "./example_tab.ts";

/** Texts of Mirage, of the mock's schema, of its panel, and of the server part of graphql-ws. */
export const MOCK_MARKS: readonly string[] = [
  "no route defined",
  "type Subscription {",
  "trestle-mock-panel",
  "Connection initialisation timeout",
];

/** The marks of the mock that the scripts of a site contain. */
export async function mockMarksIn(site: string): Promise<string[]> {
  const names = Array.from(Deno.readDirSync(`${site}/assets`), ({ name }) => name);
  const scripts = await Promise.all(
    names.filter((name) => name.endsWith(".js"))
      .map((name) => Deno.readTextFile(`${site}/assets/${name}`)),
  );
  return MOCK_MARKS.filter((mark) => scripts.some((script) => script.includes(mark)));
}

/** Checks that records arrive from a server, over WebSocket and as server-sent events. */
export async function isLive(browser: Browser, site: string): Promise<void> {
  await using server = await startExampleServer(site);
  await using tab = await openExample(browser, `${server.url}/feed`);
  await tab.page.locator(".feed li").first().waitFor();
  await tab.page.locator(".live").waitFor();
  server.postShoutout("Over the socket.");
  await tab.shows("Over the socket.");
  strictEqual(await tab.page.locator("trestle-mock-panel").count(), 0);

  const stream = tab.page.waitForResponse((response) =>
    response.request().postData()?.includes("ThanksReceived") ?? false
  );
  await tab.role("link", "Mara Lindqvist").first().click();
  await stream;
  await tab.page.getByRole("region", { name: "Thanks received" }).waitFor();
  server.postShoutout("As an event.");
  await tab.shows("As an event.");
}
