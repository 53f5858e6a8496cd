import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { chromium } from "playwright-core";
import { serveFolder } from "../../scripts/browser/serve_folder.ts";
import { requires } from "../../scripts/services/requires.ts";
import { buildExample } from "./testing/build_example.ts";
import { type ExampleTab, openExample, PHONE } from "./testing/example_tab.ts";

/** What one step gets: tabs on the app that is served. */
interface Stage {
  readonly open: (path: string, options?: Parameters<typeof openExample>[2]) => Promise<ExampleTab>;
}

const STEPS: readonly [name: string, run: (stage: Stage) => Promise<void>][] = [
  ["people are paged, and the keyboard goes on where the new ones start", async ({ open }) => {
    await using tab = await open("/");
    await tab.shows("28 people");
    strictEqual(await cards(tab).count(), 12);
    await tab.role("button", "Show more").click();
    await tab.shows("24 of 28");
    match(await focused(tab), /^A Jonas Brandt/);
    await tab.role("button", "Show more").click();
    await cards(tab).nth(27).waitFor();
    strictEqual(await tab.role("button", "Show more").count(), 0);
  }],
  ["people are filtered and sorted, and the address says how", async ({ open }) => {
    await using tab = await open("/?sort=NEWEST");
    await tab.shows("28 people");
    const newest = await cards(tab).first().innerText();
    await tab.page.getByLabel("Order").selectOption("By name");
    await tab.page.waitForURL((url) => url.search === "");
    await cards(tab).filter({ hasText: "Aiko" }).first().waitFor();
    ok(!newest.startsWith("AN"), newest);
    await tab.page.getByLabel("Team").selectOption("Design");
    await tab.shows("5 people");
    await tab.page.getByLabel("Presence").selectOption("Busy");
    await tab.shows("1 person");
    match(await cards(tab).innerText(), /Tomás Ferreira/);
    match(tab.page.url(), /\?team=1&presence=BUSY$/);
    await tab.page.getByRole("searchbox").fill("nobody");
    await tab.shows("Nobody fits");
    await tab.role("button", "Show everybody").click();
    await tab.page.getByRole("searchbox").fill("tallinn");
    await tab.page.waitForURL(/q=tallinn/);
    await tab.shows(/^\d people$/);
    for (const text of await cards(tab).allInnerTexts()) match(text, /Tallinn/);
  }],
  ["a person is added, who is in the feed at once, and edited", async ({ open }) => {
    await using tab = await open("/");
    await tab.role("button", "Add person").click();
    await tab.role("button", "Save").click();
    match(await focused(tab), /^INPUT/);
    await tab.shows("What are they called?");
    await tab.role("textbox", "Name").fill("Wanda Zielińska");
    await tab.role("textbox", "Title").fill("Divemaster");
    await tab.role("textbox", "Email").fill("wanda@quayside.example");
    await tab.role("textbox", "City").fill("Gdynia");
    await tab.role("dialog", "Add a person").getByLabel("Team").selectOption("Operations");
    await tab.role("button", "Save").click();
    await tab.role("heading", "Wanda Zielińska").waitFor();
    await tab.shows("Wanda Zielińska is aboard.");
    await tab.shows("Kadri Tamm");
    await tab.role("button", "Edit").click();
    await tab.role("textbox", "Title").fill("Chief diver");
    await tab.role("dialog", "Edit").getByLabel("Team").selectOption("People");
    await tab.role("button", "Save").click();
    await tab.role("heading", "People").waitFor();
    await tab.shows("Chief diver");
    await tab.role("link", /^Feed 1 new/).click();
    await tab.role("heading", /Wanda Zielińska has come aboard/).waitFor();
  }],
  ["presence changes at once, and back where the server refuses", async ({ open }) => {
    await using tab = await open("/people/1");
    const picker = tab.page.getByLabel("Presence");
    await picker.selectOption("Away");
    await tab.setSpeed("At once");
    await tab.arrange("Fail the next GraphQL request");
    await picker.selectOption("Busy");
    await tab.shows("Presence not changed: The directory is out of reach.");
    strictEqual(await picker.inputValue(), "AWAY");
  }],
  ["a person is removed after a question, but not oneself", async ({ open }) => {
    await using tab = await open("/people/6");
    await tab.role("button", "Remove").click();
    await tab.role("dialog", "Remove Zoë van Dijk?").waitFor();
    match(await focused(tab), /^BUTTON Keep/);
    await tab.page.keyboard.press("Escape");
    match(await focused(tab), /^BUTTON Remove/);
    await tab.page.keyboard.press("Enter");
    await tab.role("dialog", "Remove Zoë van Dijk?").getByText("Remove", { exact: true }).click();
    await tab.shows("27 people");
    await tab.role("link", "Feed").click();
    await tab.role("heading", "Priya Raman thanks somebody who has left").waitFor();
    await tab.role("link", "Priya Raman").first().click();
    await tab.role("heading", "Platform").waitFor();
    strictEqual(await tab.role("link", /Zoë van Dijk/).count(), 0);
    await tab.role("link", "People").first().click();
    await tab.page.getByRole("searchbox").fill("Mara");
    await tab.role("link", /Mara Lindqvist/).click();
    await tab.role("button", "Remove").click();
    await tab.role("dialog", "Remove Mara Lindqvist?").getByText("Remove", { exact: true }).click();
    await tab.shows("You can't remove yourself.");
  }],
  ["the feed has all its types, page after page, and is live", async ({ open }) => {
    await using tab = await open("/feed");
    const items = tab.page.locator(".feed li");
    await items.first().waitFor();
    strictEqual(await items.count(), 6);
    await tab.role("button", "Show older").click();
    await items.nth(11).waitFor();
    await tab.role("button", "Show older").click();
    await items.nth(12).waitFor();
    const types = await items.locator("article").evaluateAll((all) =>
      all.map((one) => one.getAttribute("data-type"))
    );
    deepStrictEqual([...new Set(types)].sort(), ["Announcement", "Arrival", "Shoutout"]);
    await tab.role("button", "Post").click();
    await tab.shows("Who was it?");
    await tab.page.getByLabel("Say thanks to").selectOption("Elin Kask");
    await tab.page.getByLabel("For what").fill("For the spare key.");
    await tab.role("button", "Post").click();
    match(await items.filter({ hasText: "spare key" }).innerText(), /Mara .* thanks Elin Kask/);
    strictEqual(await items.count(), 14);
    await tab.role("link", "Rooms").click();
    await tab.arrange("Post as a colleague");
    await tab.role("link", /^Feed 1 new/).click();
    match(await items.first().innerText(), /Samuel Okoro thanks Mara Lindqvist/);
    strictEqual(await tab.role("link", "Feed").count(), 1);
  }],
  ["rooms are booked, kept longer and given back over REST", async ({ open }) => {
    await using tab = await open("/rooms");
    await tab.role("button", "Book Galley").click();
    await tab.page.getByLabel("For what").fill("Chess");
    await tab.page.getByLabel("Until").fill("15:00");
    await tab.role("button", "Book").click();
    await tab.shows("It ends before it starts");
    await tab.page.getByLabel("Until").fill("17:00");
    await tab.role("button", "Book").click();
    await tab.shows("Galley is yours from 16:00 to 17:00.");
    await tab.shows("16:00–17:00");
    await tab.role("button", "+30 min for Chess").click();
    await tab.shows("16:00–17:30");
    await tab.shows("“Chess” now ends at 17:30.");
    await tab.role("button", "Book Galley").click();
    await tab.page.getByLabel("For what").fill("Go");
    await tab.role("button", "Book").click();
    await tab.shows("“Chess” has the room from 16:00 to 17:30.");
    await tab.page.keyboard.press("Escape");
    await tab.arrange("Fail the next REST request");
    await tab.role("button", "+30 min for Chess").click();
    await tab.shows(/still ends at 17:30\. The booking desk is closed/);
    await tab.shows("16:00–17:30");
    await tab.role("button", "Give back Chess").click();
    await tab.role("button", "Give back").click();
    await tab.shows("“Chess” is given back.");
    await tab.shows("Free all day.");
  }],
  ["a request that fails is shown, and can be tried again", async ({ open }) => {
    await using tab = await open("/feed");
    await tab.arrange("Fail the next GraphQL request");
    await tab.role("link", "People").click();
    match(await tab.page.getByRole("alert").innerText(), /The directory is out of reach\./);
    await tab.takePicture("error");
    await tab.role("button", "Try again").click();
    await tab.shows("28 people");
    await tab.arrange("Fail the next REST request");
    await tab.role("link", "Rooms").click();
    match(await tab.page.getByRole("alert").innerText(), /The booking desk is closed/);
    await tab.role("button", "Try again").click();
    await tab.role("heading", "Lighthouse").waitFor();
    strictEqual(await tab.page.getByRole("alert").count(), 0);
  }],
  ["requests of a page that is left are cancelled", async ({ open }) => {
    await using tab = await open("/feed");
    await tab.setSpeed("On a train");
    await tab.role("link", "Rooms").click();
    await tab.shows("Loading");
    await tab.role("link", "People").click();
    await tab.shows("Looking around");
    await tab.takePicture("loading");
    await tab.role("link", "Feed").click();
    await tab.setSpeed("At once");
    const log = await tab.readLog();
    const cancelled = log.filter((line) => line.endsWith("cancelled")).sort();
    deepStrictEqual(cancelled, [
      "GET /api/bookings cancelled",
      "GET /api/rooms cancelled",
      "GraphQL People cancelled",
      "GraphQL Teams cancelled",
    ]);
  }],
  ["the keyboard alone is enough", async ({ open }) => {
    await using tab = await open("/");
    await tab.shows("28 people");
    const press = (key: string) => tab.page.keyboard.press(key);
    await press("Tab");
    match(await focused(tab), /^A Skip to content/);
    await press("Enter");
    match(await focused(tab), /^MAIN/);
    await press("Tab");
    match(await focused(tab), /^BUTTON Add person/);
    await press("Enter");
    match(await focused(tab), /^INPUT/);
    for (let count = 0; count < 12; count++) {
      await press("Tab");
      ok(!/^(A|MAIN) /.test(await focused(tab)), "the focus stays in the dialog");
    }
    await press("Escape");
    match(await focused(tab), /^BUTTON Add person/);
    await tab.role("link", "Rooms").press("Enter");
    await tab.role("heading", "Rooms").waitFor();
    match(await focused(tab), /^MAIN/);
    strictEqual(await tab.page.title(), "Rooms · Quayside");
  }],
  ["nothing is wider than a phone", async ({ open }) => {
    for (const path of PATHS) {
      await using tab = await open(path, PHONE);
      await settled(tab);
      await fits(tab, path);
      await tab.takePicture(`phone${nameOf(path)}`);
    }
    await using tab = await open("/", PHONE);
    await tab.role("button", "Add person").click();
    await fits(tab, "the form");
    await tab.takePicture("phone-form");
    await tab.page.keyboard.press("Escape");
    await tab.role("button", "Mock server").click();
    await fits(tab, "the panel");
  }],
  ["a machine finds nothing that is not accessible, in light and in dark", async ({ open }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const path of [...PATHS, "/?q=nobody", "/nowhere"]) {
        await using tab = await open(path, { colorScheme });
        await settled(tab);
        await tab.checkAccess();
        await tab.takePicture(`${colorScheme}${nameOf(path)}`);
      }
      await using tab = await open("/", { colorScheme });
      await tab.role("button", "Add person").click();
      await tab.role("button", "Save").click();
      await tab.checkAccess();
      await tab.takePicture(`${colorScheme}-form`);
      await tab.page.keyboard.press("Escape");
      await tab.role("button", "Mock server").click();
      await tab.checkAccess();
      await tab.takePicture(`${colorScheme}-panel`);
    }
  }],
  ["the colours are what the person chooses, also next time", async ({ open }) => {
    await using tab = await open("/");
    await tab.role("button", /^Colours/).click();
    await tab.role("button", /^Colours: light/).click();
    await tab.page.reload();
    await tab.role("button", /^Colours: dark/).waitFor();
    const paper = tab.page.evaluate("getComputedStyle(document.body).backgroundColor");
    strictEqual(await paper, "rgb(18, 21, 23)");
  }],
];

const PATHS = ["/", "/people/1", "/feed", "/rooms"];

function nameOf(path: string): string {
  return path.replace(/^\/$/, "/people").replaceAll(/\W+/g, "-");
}

function cards({ page }: ExampleTab) {
  return page.locator(".person-card");
}

/** The element that has the focus, and the first line of its text that is no initials. */
async function focused({ page }: ExampleTab): Promise<string> {
  const [name, text] = await page.evaluate(
    "[document.activeElement.tagName, document.activeElement.innerText]",
  ) as string[];
  return `${name} ${text?.split("\n").find((line) => !/^[A-Z]{2}$/.test(line))}`;
}

/** Waits until the page has all that it has asked for. */
async function settled({ page }: ExampleTab): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator(".skeletons").waitFor({ state: "detached" });
}

async function fits({ page }: ExampleTab, what: string): Promise<void> {
  const width = await page.evaluate("document.documentElement.scrollWidth");
  strictEqual(width, 360, what);
}

const NAME = "the example app works from the packed packages";

Deno.test({
  ...requires("chromium", requires("node", NAME).name),
  fn: async (t) => {
    await using built = await buildExample();
    const types = built.checkTypes();
    await using site = serveFolder(built.site);
    const browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox"],
    });
    try {
      const open: Stage["open"] = (path, options) =>
        openExample(browser, `${site.url}${path}`, options);
      for (const [name, run] of STEPS) await t.step(name, () => run({ open }));
    } finally {
      await browser.close();
    }
    await t.step("its types fit", async () => {
      deepStrictEqual(await types, { success: true, output: "" });
    });
  },
});
