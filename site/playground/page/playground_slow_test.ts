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
    await t.step("the schemas are mocked and queried", async () => {
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
    await t.step("a schema of 1 MB leaves the page free, and is too long for a link", async () => {
      await using tab = await playground.open();
      await mockLarge(tab);
    });
    await t.step("copied projects are built, and show the records", () => copy(playground));
  },
});

async function queryAll(tab: PlaygroundTab): Promise<void> {
  const { page } = tab;
  await tab.show("Requests");
  // the last one is large
  for (const { name, operation } of SAMPLES.slice(0, -1)) {
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
  const answeredBy = page.getByLabel("Answered by");
  await answeredBy.getByText("Mutation.createBook: a mutation that says “create”, Book").waitFor();
  const time = await page.locator(".log > li .time").first().innerText();
  ok(Number.parseFloat(time) >= 290, time);
  await page.getByLabel("Latency").selectOption({ label: "At once" });
  await tab.run("Books");
  const latest = page.locator(".log > li").first();
  await latest.locator("b").filter({ hasText: "Books" }).waitFor();
  await tab.answered(/^answered$/);
  await latest.locator("summary").press("Enter");
  await latest.getByText("hasura: list.limit limit").waitFor();
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
  const hasRun = async () => {
    const answers = page.workers().map((one) => one.evaluate("globalThis.hasRun").catch(() => {}));
    return (await Promise.all(answers)).includes(true);
  };
  strictEqual(await hasRun(), false);
  await page.getByRole("button", { name: "Run in this page" }).click();
  await page.locator(".resolvers .hint").getByText("Running", { exact: true }).waitFor();
  strictEqual(await hasRun(), true);
  await tab.run();
  await response.getByText(/Of.code/).waitFor();
  await tab.show("Share");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("The link is copied.").waitFor();
  await using copied = await playground.open({ fragment: new URL(page.url()).hash.slice(1) });
  await copied.run();
  await copied.page.locator(".graphiql-response").getByText(/Of.a.link/).waitFor();
}

/** Counts the tasks that a page runs while a schema is mocked; a blocked page runs hardly any. */
const TASKS = `new Promise((resolve) => {
  const verdict = document.querySelector(".verdict");
  let tasks = 0;
  const run = () => {
    if (verdict.textContent.startsWith("Mocked: 24")) return resolve(tasks);
    tasks++;
    setTimeout(run);
  };
  run();
})`;

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
  await tab.verdict(/^Mocked/);
  await page.getByLabel("Example schema").selectOption("Linear, 1.2 MB");
  await tab.verdict("The schema is being mocked");
  const tasks = page.evaluate(TASKS);
  await tab.show("Resolvers");
  await page.getByRole("button", { name: "Write a resolver" }).click();
  await page.getByRole("textbox", { name: "Resolvers" }).fill("// typed while it is mocked");
  ok(Number(await tasks) > 10, `${await tasks} tasks`);
  await tab.show("Requests");
  await tab.run();
  await tab.answered(/^answered$/);
  await tab.schema.press("#");
  await tab.verdict("A large schema is mocked when you ask for it");
  const text = await tab.schema.inputValue();
  ok(text.length > 1_000_000);
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
  const [vue, react] = [`${folder.path}/vue/mock-app`, `${folder.path}/react/mock-app`];
  {
    await using tab = await playground.open();
    await tab.verdict(/^Mocked/);
    await tab.show("Share");
    await unzipProject(tab, "Vue", `${folder.path}/vue`);
    await unzipProject(tab, "React", `${folder.path}/react`);
  }
  await using built = await builtPackage("mirage_graphql");
  // one install has the packages of both
  await installPackages(vue, [built.tarball, ...await packagesOf(react)]);
  await Deno.symlink(`${vue}/node_modules`, `${react}/node_modules`);
  for (const app of [vue, react]) {
    // a build for production has no mock
    await runIn(app, `${app}/node_modules/.bin/vite`, ["build", "--mode", "development"], {
      NODE_ENV: "development",
    });
    await using tab = await playground.openOther(`${app}/dist`);
    await tab.page.locator("pre").getByText('"books"').waitFor();
  }
}

async function unzipProject(tab: PlaygroundTab, name: string, folder: string): Promise<void> {
  const download = tab.page.waitForEvent("download");
  await tab.page.getByRole("button", { name, exact: true }).click();
  const files = unzipSync(await Deno.readFile(await (await download).path()));
  deepStrictEqual(Object.keys(files).filter((path) => !path.startsWith("mock-app/")), []);
  for (const [path, bytes] of Object.entries(files)) {
    await Deno.mkdir(`${folder}/${dirname(path)}`, { recursive: true });
    await Deno.writeFile(`${folder}/${path}`, bytes);
  }
  match(strFromU8(files["mock-app/README.md"] ?? new Uint8Array()), /npm run dev/);
}

/** The packages that a project needs, but for the mock itself. */
async function packagesOf(app: string): Promise<string[]> {
  const { dependencies, devDependencies } = JSON.parse(
    await Deno.readTextFile(`${app}/package.json`),
  );
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => name !== "@trestle/mirage-graphql")
    .map(([name, version]) => `${name}@${version}`);
}
