/**
 * Builds the example app from the npm packages, opens it in Chromium with the panel of its mock
 * server, and saves the README's screenshot as `examples/team_directory.webp`.
 *
 * @module
 */

import { chromium, type Page } from "playwright-core";
import { serveFolder } from "../test_support/browser/serve_page.ts";
import { ROOT } from "../test_support/root.ts";
import { buildExample } from "./example/example_app.ts";

const PICTURE = `${ROOT}/examples/team_directory.webp`;
const VIEW = { viewport: { width: 1360, height: 760 }, deviceScaleFactor: 1.5 };
const QUALITY = 80;

/** Shows the people, next to the requests that the app's pages sent to the mock server. */
async function openPeople(page: Page, url: string): Promise<void> {
  await page.goto(url);
  for (const name of ["Rooms", "Feed", "People"]) {
    await page.getByRole("link", { name }).first().click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.locator(".skeletons").waitFor({ state: "detached" });
  }
  await page.getByText("28 people").waitFor();
  await page.getByRole("button", { name: "Mock server" }).click();
  await page.getByRole("dialog", { name: "Mock server" }).waitFor();
  await page.evaluate("document.fonts.ready");
}

/** Takes a screenshot as WebP, a format that playwright can't write. */
async function takePicture(page: Page): Promise<Uint8Array<ArrayBuffer>> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: QUALITY,
  });
  return Uint8Array.fromBase64(data);
}

await using built = await buildExample();
await using site = serveFolder(built.site);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const context = await browser.newContext({ ...VIEW, reducedMotion: "reduce" });
  const page = await context.newPage();
  await openPeople(page, site.url);
  const picture = await takePicture(page);
  await Deno.writeFile(PICTURE, picture);
  console.log(`${PICTURE} ${picture.length} bytes`);
} finally {
  await browser.close();
}
