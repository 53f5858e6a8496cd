import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type OpenPage, openPage } from "../../test_support/browser/browser_page.ts";
import { requires } from "../../test_support/services.ts";

const PAGE = new URL("../testing/persist_page.ts", import.meta.url);

async function run({ page }: OpenPage, query: string): Promise<unknown> {
  return await page.evaluate(`run(${JSON.stringify(query)})`);
}

async function notesOf(tab: OpenPage, field = "name"): Promise<unknown> {
  return await run(tab, `{ notes { id ${field} } }`);
}

const create = (name: string) => `mutation { createNote(name: "${name}") { id } }`;

Deno.test({
  ...requires("chromium", "persist keeps records, ids, dates and the session over a reload"),
  async fn() {
    await using tab = await openPage(PAGE);
    await run(tab, create("second"));
    await run(tab, create("third"));
    await run(tab, "mutation { deleteNote(id: 3) { id } }");
    await run(tab, `mutation { login(email: "bo@b.test") { token } }`);

    await tab.page.reload();
    deepStrictEqual(await notesOf(tab), {
      notes: [{ id: "1", name: "first" }, { id: "2", name: "second" }],
    });
    deepStrictEqual(await run(tab, "{ me { name } }"), { me: { name: "Bo" } });
    strictEqual(await tab.page.evaluate("isDate()"), true);
    deepStrictEqual(await run(tab, create("fourth")), { createNote: { id: "4" } });
    await run(tab, "mutation { logout }");

    await tab.page.reload();
    deepStrictEqual(await run(tab, "{ me { name } }"), { me: null });
    deepStrictEqual([tab.consoleErrors, tab.pageErrors], [[], []]);
  },
});

Deno.test({
  ...requires("chromium", "reset() forgets the kept records, at once and after a reload"),
  async fn() {
    await using tab = await openPage(PAGE);
    const seeds = { notes: [{ id: "1", name: "first" }] };
    await run(tab, create("second"));
    await tab.page.reload();
    strictEqual(JSON.stringify(await notesOf(tab)).includes("second"), true);

    await tab.page.evaluate("reset()");
    deepStrictEqual(await notesOf(tab), seeds);
    deepStrictEqual(await run(tab, create("again")), { createNote: { id: "2" } });

    await tab.page.reload();
    await tab.page.evaluate("reset()"); // before any operation
    await tab.page.reload();
    deepStrictEqual(await notesOf(tab), seeds);
  },
});

Deno.test({
  ...requires("chromium", "persist is a matter of the tab or of the browser, and of the schema"),
  async fn() {
    await using tab = await openPage(PAGE, { path: "/?persist=local" });
    await run(tab, create("second"));
    await tab.page.goto(`${tab.url}/?persist=local&field=title`);
    deepStrictEqual(await notesOf(tab, "title"), { notes: [{ id: "1", title: "first" }] });

    await tab.page.goto(`${tab.url}/?persist=local`);
    strictEqual(JSON.stringify(await notesOf(tab)).includes("second"), true);
    await tab.page.goto(`${tab.url}/`); // the storage of the tab
    strictEqual(JSON.stringify(await notesOf(tab)).includes("second"), false);
  },
});

Deno.test({
  ...requires("chromium", "a full storage is one warning, and loses no record of the page"),
  async fn() {
    await using tab = await openPage(PAGE);
    await run(tab, create("small"));
    await tab.page.evaluate("dispatchEvent(new Event('pagehide'))");
    for (const letter of "ab") {
      await tab.page.evaluate(`db.notes.insert({ name: "${letter}".repeat(6e6) })`);
      await tab.page.evaluate("dispatchEvent(new Event('pagehide'))");
    }
    const warnings = await tab.page.evaluate<string[]>("warnings");
    strictEqual(warnings.length, 1);
    match(warnings[0] ?? "", /^Cannot keep records in sessionStorage: .*quota/);
    strictEqual(await tab.page.evaluate("db.notes.length"), 4);

    await tab.page.reload();
    deepStrictEqual(await notesOf(tab), {
      notes: [{ id: "1", name: "first" }, { id: "2", name: "small" }],
    });
  },
});

Deno.test({
  ...requires("chromium", "persist keeps what a route of a Mirage server writes, except in a test"),
  async fn() {
    await using tab = await openPage(PAGE, { path: "/?environment=development" });
    await run(tab, create("second"));
    await tab.page.reload();
    strictEqual(JSON.stringify(await notesOf(tab)).includes("second"), true);

    await tab.page.goto(`${tab.url}/?environment=test`);
    strictEqual(JSON.stringify(await notesOf(tab)).includes("second"), false);
    await run(tab, create("tested"));
    await tab.page.goto(`${tab.url}/?environment=development`);
    strictEqual(JSON.stringify(await notesOf(tab)).includes("tested"), false);
  },
});
