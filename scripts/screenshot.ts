/**
 * Takes the screenshots that the pages of the project show, in Chromium: of the example app with the
 * panel of its mock server, and of the tool server's console. The arguments name those to take.
 *
 * @module
 */

import type { Page } from "playwright-core";
import { launchChromium } from "../test_support/browser/launch_chromium.ts";
import { ROOT } from "../test_support/root.ts";
import { openConsole, openHealth, openJobs, openTerminal } from "./screenshots/console_scene.ts";
import { openExample } from "./screenshots/example_scene.ts";
import type { Scene } from "./screenshots/scene.ts";

const SCENES: Readonly<Record<string, () => Promise<Scene>>> = {
  console: openConsole,
  jobs: openJobs,
  terminal: openTerminal,
  health: openHealth,
  example: openExample,
};
const VIEW = { viewport: { width: 1360, height: 760 }, deviceScaleFactor: 1.5 };
const QUALITY = 80;

/** Takes a screenshot as WebP, a format that playwright can't write. */
async function takePicture(page: Page): Promise<Uint8Array<ArrayBuffer>> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: QUALITY,
  });
  return Uint8Array.fromBase64(data);
}

const known = Object.keys(SCENES);
const names = Deno.args.length > 0 ? Deno.args : known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Cannot show "${unknown.join(", ")}": there are ${known.join(", ")}`);
  Deno.exit(2);
}
const browser = await launchChromium();
try {
  for (const [name, openScene] of Object.entries(SCENES)) {
    if (!names.includes(name)) continue;
    await using scene = await openScene();
    const context = await browser.newContext({ ...VIEW, reducedMotion: "reduce" });
    const page = await context.newPage();
    await scene.show(page);
    await page.evaluate("document.fonts.ready");
    const picture = await takePicture(page);
    await Deno.writeFile(`${ROOT}/${scene.file}`, picture);
    console.log(`${scene.file} ${picture.length} bytes`);
    await context.close();
  }
} finally {
  await browser.close();
}
