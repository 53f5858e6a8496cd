import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { strFromU8, unzipSync } from "fflate";
import { dirname } from "node:path/posix";
import { installPackages } from "../../../scripts/example/example_app.ts";
import { builtPackage } from "../../../scripts/npm/testing/built_package.ts";
import { requires } from "../../../test_support/services.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { encodeFragment } from "./link/link_codec.ts";
import { SAMPLES } from "./samples/samples.ts";
import { buildPlayground, type BuiltPlayground, runIn } from "./testing/built_playground.ts";
import type { PlaygroundTab } from "./testing/playground_tab.ts";

Deno.test({
  ...requires("chromium", "the playground works in Chromium, as it is published"),
  fn: async (t) => {
    await using playground = await buildPlayground();
    await t.step("ten schemas are mocked and queried", async () => {
      await using tab = await playground.open();
      await queryAll(tab);
    });
    await t.step("so they are on a phone, in the dark and without a network", async () => {
      await using tab = await playground.open({ width: 375, colorScheme: "dark" });
      await tab.page.getByText("Works offline").waitFor();
      await tab.setOffline(true);
      await tab.page.reload();
      await queryAll(tab);
    });
    await t.step("faults, records, requests and resolvers", async () => {
      await using tab = await playground.open();
      await markFaults(tab);
      await editRecords(tab);
      await failAndWait(tab);
      await resolve(tab);
    });
    await t.step("a link carries all, and runs no code by itself", () => share(playground));
    await t.step("a picture in the records of a link is asked for at no other server", () => {
      return refusePicture(playground);
    });
    await t.step("a schema of 1 MB is mocked when asked for, and too long for a link", async () => {
      await using tab = await playground.open();
      await mockLarge(tab);
    });
    await t.step("a copied project is built, and shows the records", () => copy(playground));
  },
});

async function queryAll(tab: PlaygroundTab): Promise<void> {
  const { page } = tab;
  await tab.show("Requests");
  for (const { name, operation } of SAMPLES) {
    await page.getByLabel("Example schema").selectOption(name);
    await page.locator(".view-lines").first().getByText(operation.split(" ")[1] ?? "").first()
      .waitFor();
    await tab.verdict(/^Mocked: \d/);
    await tab.run(operation.includes("mutation") ? "Books" : undefined);
    await tab.answered(/^answered$/);
    await page.locator(".graphiql-response").getByText('"data"').waitFor();
    ok(await tab.fits(), name);
  }
  for (const pane of ["Records", "Requests", "Resolvers", "Share"] as const) {
    await tab.show(pane);
    await tab.checkAccess();
  }
}

async function markFaults(tab: PlaygroundTab): Promise<void> {
  const text = await tab.schema.inputValue();
  await tab.schema.fill(text.replace("country: String", "country: Strin"));
  await tab.verdict('Line 4:12: Unknown type "Strin".');
  strictEqual(await tab.page.locator(".schema .fault").innerText(), "4");
  await tab.schema.fill(text);
  await tab.verdict("Mocked: 3 tables, 15 records");
}

/** By keyboard, while a subscription waits for the change. */
async function editRecords(tab: PlaygroundTab): Promise<void> {
  const { page } = tab;
  await tab.run("NewBooks");
  await page.getByRole("tab", { name: "Records" }).focus();
  await page.keyboard.press("ArrowRight");
  await tab.answered("waiting for events");
  await page.keyboard.press("ArrowLeft");
  await page.getByLabel("Table").selectOption("books");
  await page.getByLabel("title of 1").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Typed");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add record" }).press("Enter");
  await page.locator(".graphiql-response").getByText('"bookCreated"').waitFor();
  // ends the subscription
  await page.locator(".graphiql-execute-button").click();
  await tab.run("Books");
  await page.locator(".graphiql-response").getByText('"Typed"').waitFor();
}

async function failAndWait(tab: PlaygroundTab): Promise<void> {
  const { page } = tab;
  await tab.show("Requests");
  await page.getByLabel("Failures").selectOption({ label: "Next: HTTP 503" });
  await tab.run("Books");
  await tab.answered("HTTP 503");
  await page.getByLabel("Latency").selectOption({ label: "After 300 ms" });
  await tab.run("AddBook");
  await tab.answered(/^answered$/);
  await page.locator(".log summary").first().press("Enter");
  await page.getByLabel("Answered by").first().getByText("Dialect: none needed").waitFor();
  const time = await page.locator(".log > li .time").first().innerText();
  ok(Number.parseFloat(time) >= 290, time);
  await page.getByLabel("Latency").selectOption({ label: "At once" });
}

async function resolve(tab: PlaygroundTab): Promise<void> {
  const { page } = tab;
  await tab.show("Resolvers");
  const code = page.getByRole("textbox", { name: "Resolvers" });
  const fault = page.locator(".resolvers .refusal");
  await page.getByRole("button", { name: "Write a resolver" }).click();
  await code.fill("export default {\n  Query: {\n    books( {\n  },\n};\n");
  await code.press("Control+Enter");
  await fault.filter({ hasText: /^Line 5: SyntaxError/ }).waitFor();
  await code.fill(
    'export default {\n  Query: {\n    books() {\n      throw new Error("boom");\n    },\n  },\n};\n',
  );
  await code.press("Control+Enter");
  await page.locator(".resolvers .hint").getByText("Running", { exact: true }).waitFor();
  await tab.run("Books");
  await fault.filter({ hasText: "Line 4: boom" }).waitFor();
  await code.fill("export default { Query: { film: () => null } };");
  await code.press("Control+Enter");
  await fault.filter({ hasText: "film" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".resolvers .hint").getByText("Not running").waitFor();
}

async function share(playground: BuiltPlayground): Promise<void> {
  const fragment = await encodeFragment({
    schema: "type Book { id: ID! title: String! } type Query { books: [Book!]! }",
    operation: "query Shared { books { title } }",
    tables: { books: [{ id: "7", title: "Of a link" }] },
    resolvers:
      'globalThis.hasRun = true;\nexport default { Query: { books: () => [{ title: "Of code" }] } };\n',
  });
  await using tab = await playground.open({ fragment });
  const { page } = tab;
  await page.getByRole("alert").getByText("It has not run").waitFor();
  const response = page.locator(".graphiql-response");
  await tab.run();
  await response.getByText(/Of.a.link/).waitFor();
  strictEqual(await page.evaluate("globalThis.hasRun"), undefined);
  await page.getByRole("button", { name: "Run in this page" }).click();
  await page.locator(".resolvers .hint").getByText("Running", { exact: true }).waitFor();
  await tab.run();
  await response.getByText(/Of.code/).waitFor();
  await tab.show("Share");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("The link is copied.").waitFor();
  await using copied = await playground.open({ fragment: new URL(page.url()).hash.slice(1) });
  await copied.run();
  await copied.page.locator(".graphiql-response").getByText(/Of.a.link/).waitFor();
}

/** GraphiQL draws the picture whose address is below the pointer, as this does. */
async function refusePicture(playground: BuiltPlayground): Promise<void> {
  await using tab = await playground.open();
  tab.refused = "http://pictures.example/";
  const refused = await tab.page.evaluate(`new Promise((resolve) => {
    addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      resolve(effectiveDirective + " " + blockedURI);
    });
    const image = new Image();
    image.onerror = () => setTimeout(resolve, 1_000, "nothing");
    image.src = "http://pictures.example/cover.png";
  })`);
  strictEqual(refused, "img-src http://pictures.example/cover.png");
}

async function mockLarge(tab: PlaygroundTab): Promise<void> {
  const { page } = tab;
  const about = "described at length ".repeat(50);
  const types = Array.from(
    { length: 900 },
    (_, index) =>
      `"${about}"\ntype Part${index} { id: ID! name: String! next: Part${(index + 1) % 900} }\n` +
      `# ${crypto.randomUUID()} ${crypto.randomUUID()} ${crypto.randomUUID()}\n`,
  );
  const text = `${types.join("")}type Query { part1: Part1 part2: [Part2!]! }\n`;
  ok(text.length > 1_000_000);
  // typing it, or filling it in, would take longer than all else
  await tab.schema.evaluate((element: HTMLTextAreaElement, value: string) => {
    element.value = value;
    element.dispatchEvent(new Event("input"));
  }, text);
  await tab.verdict("A large schema is mocked when you ask for it");
  await tab.schema.press("Control+Enter");
  await tab.verdict(/^Mocked: 900 tables/);
  await tab.show("Share");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText(/^The link would have \d+ KiB/).waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save file" }).click();
  const path = await (await download).path();
  strictEqual(JSON.parse(await Deno.readTextFile(path)).schema, text);
  await page.getByLabel("Open file").setInputFiles({
    name: "schema.graphql",
    mimeType: "text/plain",
    buffer: Buffer.from("type Query { a: Int }"),
  });
  await tab.verdict("Mocked: 0 tables");
}

async function copy(playground: BuiltPlayground): Promise<void> {
  await using folder = await createTempFolder();
  const { path } = folder;
  {
    await using tab = await playground.open();
    await tab.verdict(/^Mocked/);
    await tab.show("Share");
    const download = tab.page.waitForEvent("download");
    await tab.page.getByRole("button", { name: "Vue", exact: true }).click();
    const files = unzipSync(await Deno.readFile(await (await download).path()));
    deepStrictEqual(Object.keys(files).filter((name) => !name.startsWith("mock-app/")), []);
    for (const [name, bytes] of Object.entries(files)) {
      await Deno.mkdir(`${path}/${dirname(name)}`, { recursive: true });
      await Deno.writeFile(`${path}/${name}`, bytes);
    }
    match(strFromU8(files["mock-app/README.md"] ?? new Uint8Array()), /npm run dev/);
  }
  await using built = await builtPackage("mirage_graphql");
  const app = `${path}/mock-app`;
  await installPackages(app, [built.tarball]);
  // a build for production has no mock
  await runIn(app, `${app}/node_modules/.bin/vite`, ["build", "--mode", "development"], {
    NODE_ENV: "development",
  });
  await using tab = await playground.openOther(`${app}/dist`);
  await tab.page.locator("pre").getByText('"books"').waitFor();
}
