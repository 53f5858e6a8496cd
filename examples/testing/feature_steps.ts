import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { cards, type ExampleStep, focuses } from "./example_step.ts";

/** Everything that a person can do with the app. */
export const FEATURE_STEPS: readonly ExampleStep[] = [
  ["people are paged, and the keyboard goes on where the new ones start", async ({ open }) => {
    await using tab = await open("/");
    await tab.shows("28 people");
    strictEqual(await cards(tab).count(), 12);
    await tab.role("button", "Show more").click();
    await tab.shows("24 of 28");
    await focuses(tab, /^A Jonas Brandt/);
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
    await focuses(tab, /^INPUT/);
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
    await tab.answered("Requests", "mutation UpdatePerson answered");
    await tab.setSpeed("at once");
    await tab.failNext("all operations", "The directory is out of reach.");
    await picker.selectOption("Busy");
    await tab.shows("Presence not changed: The directory is out of reach.");
    await tab.page.locator(".presence-picker[data-presence='AWAY']").waitFor();
    strictEqual(await picker.inputValue(), "AWAY");
  }],
  ["a person is removed after a question, but not oneself", async ({ open }) => {
    await using tab = await open("/people/6");
    await tab.role("button", "Remove").click();
    await tab.role("dialog", "Remove Zoë van Dijk?").waitFor();
    await focuses(tab, /^BUTTON Keep/);
    await tab.page.keyboard.press("Escape");
    await focuses(tab, /^BUTTON Remove/);
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
    await tab.postAsColleague();
    await tab.role("link", /^Feed 1 new/).click();
    await items.first().filter({ hasText: "Samuel Okoro thanks Mara Lindqvist" }).waitFor();
    await tab.role("link", "Feed").waitFor();
  }],
  ["what a colleague posts is in the feed over WebSocket", async ({ open }) => {
    await using tab = await open("/feed");
    const items = tab.page.locator(".feed li");
    await items.nth(5).waitFor();
    await tab.page.locator(".live").waitFor();
    await tab.postAsColleague();
    await items.nth(6).waitFor();
    match(await items.first().innerText(), /Samuel Okoro thanks Mara Lindqvist/);
    const log = await tab.readLog();
    deepStrictEqual(log.filter((line) => line.includes(" Feed")), ["query Feed answered"]);
  }],
  ["what a colleague posts is on one's page as a server-sent event", async ({ open }) => {
    await using tab = await open("/people/1");
    const thanks = tab.page.getByRole("region", { name: "Thanks received" }).locator("li");
    await thanks.first().waitFor();
    strictEqual(await thanks.count(), 1);
    await tab.answered("Streams", "subscription ThanksReceived");
    await tab.postAsColleague();
    await thanks.nth(1).waitFor();
    match(await thanks.nth(1).innerText(), /harbor visit.*\s+Samuel Okoro/);
    const log = await tab.readLog();
    deepStrictEqual(log.filter((line) => line.includes("Person")), ["query Person answered"]);
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
    await tab.failNext("all REST requests", "The booking desk is closed for a moment.");
    await tab.role("button", "+30 min for Chess").click();
    await tab.shows(/still ends at 17:30\. The booking desk is closed/);
    await tab.shows("16:00–17:30");
    await tab.role("button", "Give back Chess").click();
    await tab.role("button", "Give back").click();
    await tab.shows("“Chess” is given back.");
    await tab.shows("Free all day.");
  }],
];
