import type { Page } from "playwright-core";
import { serveFolder } from "../../test_support/browser/serve_page.ts";
import { buildExample, packForExample } from "../example/example_app.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { Scene } from "./scene.ts";

/** The example app, with the requests that its pages sent to the mock server. */
export async function openExample(): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const packed = stack.use(await createTempFolder());
  const built = stack.use(await buildExample(await packForExample(packed.path)));
  const site = stack.use(serveFolder(built.site));
  const parts = stack.move();
  return {
    file: "examples/team_directory.webp",
    show: (page) => openPeople(page, site.url),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

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
}
