import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type ExampleStep, focused, focuses, settled } from "./example_step.ts";
import { type ExampleTab, PHONE } from "./example_tab.ts";

const PATHS = ["/", "/people/1", "/feed", "/rooms"];

/** How the app behaves when requests fail, on a phone, by keyboard, in the dark. */
export const QUALITY_STEPS: readonly ExampleStep[] = [
  ["a request that fails is shown, and can be tried again", async ({ open }) => {
    await using tab = await open("/feed");
    await tab.failNext("all operations", "The directory is out of reach.");
    await tab.role("link", "People").click();
    match(await tab.page.getByRole("alert").innerText(), /The directory is out of reach\./);
    await tab.role("button", "Try again").click();
    await tab.shows("28 people");
    await tab.failNext("all REST requests", "The booking desk is closed for a moment.");
    await tab.role("link", "Rooms").click();
    match(await tab.page.getByRole("alert").innerText(), /The booking desk is closed/);
    await tab.role("button", "Try again").click();
    await tab.role("heading", "Lighthouse").waitFor();
    strictEqual(await tab.page.getByRole("alert").count(), 0);
  }],
  ["requests of a page that is left are cancelled", async ({ open }) => {
    await using tab = await open("/feed");
    await settled(tab);
    await tab.role("option", "Elin Kask").waitFor({ state: "attached" });
    await tab.setSpeed("on a train");
    await tab.role("link", "Rooms").click();
    await tab.shows("Loading");
    await tab.role("link", "People").click();
    await tab.shows("Looking around");
    await tab.role("link", "Feed").click();
    await tab.setSpeed("at once");
    const log = await tab.readLog();
    const cancelled = log.filter((line) => line.endsWith("cancelled")).sort();
    deepStrictEqual(cancelled, [
      "GET /api/bookings cancelled",
      "GET /api/rooms cancelled",
      "query People cancelled",
      "query Teams cancelled",
    ]);
  }],
  ["the keyboard alone is enough", async ({ open }) => {
    await using tab = await open("/");
    await tab.shows("28 people");
    const press = (key: string) => tab.page.keyboard.press(key);
    await press("Tab");
    await focuses(tab, /^A Skip to content/);
    await press("Enter");
    await focuses(tab, /^MAIN/);
    await press("Tab");
    await focuses(tab, /^BUTTON Add person/);
    await press("Enter");
    await focuses(tab, /^INPUT/);
    for (let count = 0; count < 12; count++) {
      await press("Tab");
      ok(!/^(A|MAIN) /.test(await focused(tab)), "the focus stays in the dialog");
    }
    await press("Escape");
    await focuses(tab, /^BUTTON Add person/);
    await tab.role("link", "Rooms").press("Enter");
    await tab.role("heading", "Rooms").waitFor();
    await focuses(tab, /^MAIN/);
    strictEqual(await tab.page.title(), "Rooms · Quayside");
  }],
  ["nothing is wider than a phone", async ({ open }) => {
    await using tab = await open("/", PHONE);
    for (const path of PATHS) {
      await tab.load(path);
      await settled(tab);
      await fits(tab, path);
    }
    await tab.load("/");
    await tab.role("button", "Add person").click();
    await fits(tab, "the form");
    await tab.page.keyboard.press("Escape");
    await tab.openPanel();
    await fits(tab, "the panel");
  }],
  ["a machine finds nothing that is not accessible, in light and in dark", async ({ open }) => {
    await using tab = await open("/");
    for (const path of [...PATHS, "/?q=nobody", "/nowhere"]) {
      await tab.load(path);
      await settled(tab);
      await isAccessible(tab);
    }
    await tab.load("/");
    await tab.role("button", "Add person").click();
    await tab.role("button", "Save").click();
    await isAccessible(tab);
    await tab.page.keyboard.press("Escape");
    await tab.openPanel();
    await isAccessible(tab);
  }],
  ["the colors are what the person chooses, also next time", async ({ open }) => {
    await using tab = await open("/");
    await tab.role("button", /^Colors/).click();
    await tab.role("button", /^Colors: light/).click();
    await tab.page.reload();
    await tab.role("button", /^Colors: dark/).waitFor();
    const paper = tab.page.evaluate("getComputedStyle(document.body).backgroundColor");
    strictEqual(await paper, "rgb(18, 21, 23)");
  }],
];

async function fits({ page }: ExampleTab, what: string): Promise<void> {
  const width = await page.evaluate("document.documentElement.scrollWidth");
  strictEqual(width, 360, what);
}

async function isAccessible(tab: ExampleTab): Promise<void> {
  await tab.checkAccess();
  await tab.page.emulateMedia({ colorScheme: "dark" });
  await tab.checkAccess(["color-contrast"]);
  await tab.page.emulateMedia({ colorScheme: "light" });
}
