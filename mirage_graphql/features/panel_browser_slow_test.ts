import axe from "axe-core";
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Page } from "playwright-core";
import { openPage } from "../../test_support/browser/browser_page.ts";
import { requires } from "../../test_support/services.ts";

const PAGE = new URL("../testing/panel_page.ts", import.meta.url);

/** Finds what is in the panel: Playwright sees into open shadow roots. */
function inPanel(page: Page) {
  const { keyboard } = page;
  const region = page.getByRole("region", { name: "Mock panel", exact: true });
  return {
    region,
    page: region.getByRole("tabpanel"),
    control: (label: string) => region.getByLabel(label, { exact: true }),
    status: region.getByRole("status"),
    ask: (query: string) => page.evaluate(`Promise.race([ask(${JSON.stringify(query)}), late()])`),
    /** Chooses a page by keyboard, and waits until it is shown. */
    async choose(title: string) {
      await region.locator('[role="tab"][aria-selected="true"]').focus();
      await keyboard.press("Home");
      const tab = region.getByRole("tab", { name: title });
      while (await tab.getAttribute("aria-selected") !== "true") await keyboard.press("ArrowRight");
      await tab.and(page.locator(":focus")).waitFor();
    },
    async says(text: string | RegExp) {
      await region.getByRole("status").filter({ hasText: text }).waitFor();
    },
    /** Moves to a control and presses Enter there. */
    async press(name: string | RegExp) {
      const exact = typeof name === "string";
      await region.getByRole("button", { name, exact }).first().focus();
      await keyboard.press("Enter");
    },
  };
}

async function faultsOfAccess(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = JSON.stringify(rules === undefined ? {} : { runOnly: rules });
  const results = await page.evaluate(
    `axe.run('trestle-mock-panel', ${options})`,
  ) as axe.AxeResults;
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`));
}

const PEOPLE = "query People { people { name } }";

Deno.test({
  ...requires("chromium", "mountPanel() shows and changes what a mock does, by keyboard alone"),
  fn: async (t) => {
    await using tab = await openPage(PAGE);
    const { page } = tab;
    const { keyboard } = page;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.waitForFunction("'panel' in globalThis");
    const panel = inPanel(page);
    await panel.ask(PEOPLE);
    await panel.ask("mutation Promote { promote(person: 1, grade: 3) { id } }");
    await panel.ask("{ nothing }");
    await page.evaluate("fetch('/api/rooms/7').then((response) => response.text())");

    await t.step("its button and its keys open it", async () => {
      strictEqual(await panel.region.count(), 0);
      await keyboard.press("Alt+Shift+KeyM");
      await panel.region.waitFor();
      await keyboard.press("Escape");
      await panel.region.waitFor({ state: "hidden" });
      await keyboard.press("Enter"); // the focus is on the button
      await panel.region.waitFor();
    });

    await t.step("requests have their responses and what answered them", async () => {
      const lines = panel.page.locator(".line");
      const texts = await lines.allInnerTexts();
      deepStrictEqual(
        texts.map((text) => text.replaceAll(/\s+/g, " ").replace(/, \d+ ms/, "")),
        [
          "GET /api/rooms/:id 200",
          "POST /graphql 200",
          "mutation Promote refused",
          "query People answered",
        ],
      );
      await keyboard.press("Tab");
      await keyboard.press("Tab");
      await keyboard.press("Tab");
      await keyboard.press("Tab");
      await keyboard.press("Tab");
      await keyboard.press("End");
      await keyboard.press("Enter");
      const details = panel.page.locator(".details").last();
      await details.getByText("Query.people: records, a list of Person").waitFor();
      const response = await details.getByRole("group", { name: "Response" }).innerText();
      deepStrictEqual(JSON.parse(response).data.people[1], {
        name: "<img src=x onerror=alert(1)>",
      });
      strictEqual(await panel.region.locator("img, b").count(), 0);
    });

    await t.step("records are changed, added, removed and exported", async () => {
      await panel.choose("Records");
      await panel.control("Table").focus();
      await keyboard.type("people");
      await panel.press(/Ada/);
      await panel.control("Record 1 as JSON").focus();
      await keyboard.press("ControlOrMeta+A");
      await keyboard.insertText('{ "name": "Grace", "teamId": "2" }');
      await panel.press("Save");
      await panel.says("Saved.");
      await panel.press("Add a record");
      await keyboard.press("ControlOrMeta+A");
      await keyboard.insertText('{ "name": 1');
      await panel.press("Add");
      await panel.says("Cannot read the record as JSON");
      await panel.press("Cancel");
      await panel.press("Add a record");
      await keyboard.press("ControlOrMeta+A");
      await keyboard.insertText('{ "name": "Bo", "teamId": "2" }');
      await panel.press("Add");
      await panel.says("Added.");
      await panel.press(/Grace/); // closes it
      await panel.press(/onerror/);
      await panel.press("Remove");
      await panel.says("Removed.");
      const teams = await panel.ask("{ teams { members { name } } }");
      deepStrictEqual(teams, {
        data: { teams: [{ members: [] }, { members: [{ name: "Grace" }, { name: "Bo" }] }] },
      });
      const download = page.waitForEvent("download");
      await panel.press("Export as seeds");
      const seeds = JSON.parse(await Deno.readTextFile(await (await download).path()));
      deepStrictEqual(seeds.teams[1].memberIds, ["1", "3"]);
      await panel.press("Reset");
      await panel.says("The records are those of the start");
      const people = [{ name: "Ada" }, { name: "<img src=x onerror=alert(1)>" }];
      deepStrictEqual(await panel.ask(PEOPLE), { data: { people } });
    });

    await t.step("a request fails or waits, the next one or every one", async () => {
      await panel.choose("Requests");
      await panel.press(/People/);
      await panel.press("Fail or delay it");
      const value = panel.control("Value");
      await value.focus();
      await keyboard.press("ControlOrMeta+A");
      await keyboard.type("Out of reach");
      await keyboard.press("Enter");
      await panel.says("Added.");
      const [failed, answered] = [await panel.ask(PEOPLE), await panel.ask(PEOPLE)];
      match(JSON.stringify(failed), /"message":"Out of reach"/);
      match(JSON.stringify(answered), /Ada/);

      await panel.control("Request").selectOption("rest GET /api/rooms/:id");
      await panel.control("When").selectOption("every");
      await panel.control("Fault").selectOption("status");
      await panel.press("Add");
      await panel.region.getByText("GET /api/rooms/:id fails: 503").waitFor();
      const status = "fetch('/api/rooms/3').then(({ status }) => status)";
      deepStrictEqual([await page.evaluate(status), await page.evaluate(status)], [503, 503]);
      await panel.press(/^Remove/);
      strictEqual(await page.evaluate(status), 200);

      await panel.control("Request").selectOption("graphql *");
      await panel.control("Fault").selectOption("network");
      await panel.press("Add");
      strictEqual(
        await page.evaluate(`ask("{ people { name } }").catch(({ name }) => name)`),
        "TypeError",
      );
      await panel.press(/^Remove/);

      await panel.control("Fault").selectOption("delay");
      await panel.control("Value").fill("3600000");
      await panel.press("Add");
      await page.evaluate(`void ask("query Slow { people { name } }").catch(() => {})`);
      await panel.choose("Requests");
      await panel.page.getByRole("button", { name: "query Slow running" }).waitFor();
      await panel.choose("Faults");
      await panel.region.getByRole("button", { name: /^Remove/ }).focus();
      strictEqual(await page.evaluate(status), 200); // what comes meanwhile leaves the focus there
      await page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
      );
      await keyboard.press("Enter");
      match(JSON.stringify(await panel.ask(PEOPLE)), /Ada/);
    });

    await t.step("streams and sockets are there while they are open, and after", async () => {
      await panel.choose("Streams");
      await page.evaluate(`new Promise((resolve) => {
        globalThis.socket = new WebSocket("/graphql", "graphql-transport-ws");
        socket.onopen = () => socket.send('{"type":"connection_init"}');
        socket.onmessage = ({ data }) => {
          if (!data.includes("connection_ack")) return data.includes("next") && resolve();
          const query = "subscription News { personCreated { name } }";
          socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query } }));
          ask('mutation { createPerson(input: { name: "Bo" }) { id } }');
        };
      })`);
      const line = panel.page.getByRole("button", { name: /subscription News 1 result, running/ });
      await line.press("Enter");
      await panel.page.getByRole("group", { name: "Result 1" }).filter({ hasText: "Bo" }).waitFor();
      await panel.page.getByText("By WebSocket.").waitFor();
      await panel.page.getByText(/graphql-transport-ws .* open/).waitFor();
      await page.evaluate("socket.close()");
      await panel.page.getByText(/graphql-transport-ws .* closed/).waitFor();
    });

    await t.step("a refused operation has its resolver to copy", async () => {
      await panel.choose("Requests");
      await panel.press("Clear");
      await panel.ask("mutation Promote { promote(person: 1, grade: 3) { id } }");
      await panel.choose("Refused");
      await panel.press(/Promote/);
      await panel.page.getByText("the mock has no rule for Mutation.promote").waitFor();
      await panel.press("Copy the resolver");
      await panel.says("Copied.");
      const copied = await page.evaluate("navigator.clipboard.readText()");
      match(String(copied), /^resolvers: \{\n {2}Mutation: \{\n {4}promote\(/);
    });

    await t.step(
      "a machine finds nothing that is not accessible, in light and in dark",
      async () => {
        await page.evaluate(axe.source);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;
          for (const title of ["Requests", "Streams", "Refused", "Records", "Faults"]) {
            await panel.choose(title);
            deepStrictEqual(await faultsOfAccess(page, rules), [], `${title} ${colorScheme}`);
          }
        }
      },
    );

    await t.step("it is resized, moved, and found as it was after a reload", async () => {
      const grip = panel.region.getByRole("separator");
      await grip.focus();
      await keyboard.press("ArrowUp");
      strictEqual(await grip.getAttribute("aria-valuenow"), "50");
      await panel.control("Where the panel is").selectOption("float");
      await panel.region.getByRole("button", { name: /^Move the panel/ }).press("ArrowLeft");
      await panel.choose("Records");
      await page.reload();
      await panel.region.getByRole("tab", { name: "Records", selected: true }).waitFor();
      const place = await page.evaluate("localStorage['trestle-mock-panel']");
      deepStrictEqual(JSON.parse(String(place)), {
        ...{ isOpen: true, dock: "float", tab: "Records", size: 0.5, x: 0.45, y: 0.1 },
      });
      strictEqual(await page.evaluate("document.activeElement.tagName"), "BODY");
      await page.evaluate(axe.source);
      deepStrictEqual(await faultsOfAccess(page), []);
    });

    await t.step("a second one is refused, and without it the mock answers as before", async () => {
      const again = "try { mountPanel(mock); } catch (error) { String(error) }";
      match(
        String(await page.evaluate(again)),
        /^TypeError: Cannot mount a panel: the mock has one/,
      );
      await page.evaluate("panel.unmount(), panel[Symbol.dispose]()");
      strictEqual(await page.evaluate("document.querySelectorAll('trestle-mock-panel').length"), 0);
      match(JSON.stringify(await panel.ask(PEOPLE)), /Ada/);
      await page.evaluate("mountPanel(mock).element.shadowRoot.mode");
    });
    deepStrictEqual(tab.pageErrors, []);
  },
});

Deno.test({
  ...requires("chromium", "mountPanel() records and fails what XMLHttpRequest sends"),
  fn: async () => {
    await using tab = await openPage(PAGE, { path: "/?xhr" });
    const { page } = tab;
    await page.waitForFunction("'panel' in globalThis");
    const panel = inPanel(page);
    await panel.ask(PEOPLE);
    const status = "fetch('/api/rooms').then(({ status }) => status)";
    strictEqual(await page.evaluate(status), 200);
    await page.evaluate("panel.open()");
    await panel.choose("Requests");
    const texts = await panel.page.locator(".line").allInnerTexts();
    deepStrictEqual(texts.map((text) => text.split(/\s+/).slice(0, 2)), [
      ["GET", "/api/rooms"],
      ["query", "People"],
    ]);
    await panel.choose("Faults");
    await panel.control("Request").selectOption("rest *");
    await panel.control("Fault").selectOption("status");
    await panel.press("Add");
    deepStrictEqual([await page.evaluate(status), await page.evaluate(status)], [503, 200]);
    await panel.control("Fault").selectOption("network");
    await panel.press("Add");
    strictEqual(await page.evaluate(status.replace(/\)$/, ", ({ name }) => name)")), "TypeError");
    deepStrictEqual(tab.pageErrors, []);
  },
});
