import { strictEqual } from "node:assert/strict";
import { compileScript, parse } from "vue/compiler-sfc";
import { type OpenPage, openPage } from "../test_support/browser/browser_page.ts";
import { type CodeBlock, codeBlocks } from "../test_support/markdown.ts";
import { requires } from "../test_support/services.ts";
import { createHeldSite, type HeldSite } from "./testing/held_site.ts";

/** The code blocks of a language in the README and then in the cookbook. */
async function blocksIn(language: string): Promise<CodeBlock[]> {
  const pages = ["./README.md", "./docs/cookbook.md"].map((page) => new URL(page, import.meta.url));
  const texts = await Promise.all(pages.map((page) => Deno.readTextFile(page)));
  const blocks = texts.flatMap(codeBlocks).filter((block) => block.language === language);
  strictEqual(blocks.length > 0, true);
  return blocks;
}

for (const language of ["typescript", "javascript"]) {
  Deno.test(`the cookbook shows the same set-up in ${language} as the examples`, async () => {
    for (const { code } of await blocksIn(language)) {
      const [, file = "", text = ""] = /^\/\/ (\S+)\n(.*)$/s.exec(code) ?? [];
      const example = new URL(`./examples/${language}/${file}`, import.meta.url);
      strictEqual(text, await Deno.readTextFile(example));
    }
  });
}

/** Opens a component from the two pages in Chromium, with the example's `api/` beside it. */
async function openComponent(index: number, site: HeldSite): Promise<OpenPage> {
  const block = (await blocksIn("vue"))[index];
  const { descriptor } = parse(block?.code ?? "", { filename: "Component.vue" });
  const script = compileScript(descriptor, { id: "component", inlineTemplate: true });
  const api = new URL("./examples/typescript/api/", import.meta.url);
  const folder = await Deno.makeTempDir();
  try {
    const component = script.content.replace("./api/", api.href);
    await Deno.writeTextFile(`${folder}/component.ts`, component);
    const main = `import { createApp } from "vue";
      import Component from "./component.ts";
      createApp(Component).mount("#app");`;
    await Deno.writeTextFile(`${folder}/main.ts`, main);
    return await openPage(new URL(`file://${folder}/main.ts`), { handle: site.handle });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  ...requires("chromium", "the component that the README opens with runs in Chromium"),
  fn: async () => {
    const site = createHeldSite();
    await using tab = await openComponent(0, site);
    await tab.page.getByText("Loading").waitFor();
    await site.answer("GET /api/posts", [{ id: 1, title: "Hello" }]);
    strictEqual(await tab.page.locator("li").textContent(), "Hello");
    strictEqual(await tab.page.getByText("Loading").count(), 0);
    await tab.page.route("**/api/posts", (route) => route.abort());
    await tab.page.getByText("Reload").click();
    await tab.page.getByText("Network Error").waitFor();
    strictEqual(await tab.page.locator("li").textContent(), "Hello");
    strictEqual(tab.pageErrors.length, 0);
  },
});

Deno.test({
  ...requires("chromium", "the component that uses the cookbook's set-up runs in Chromium"),
  fn: async () => {
    const site = createHeldSite();
    await using tab = await openComponent(1, site);
    await site.answer("GET /api/posts", [{ id: 1, title: "Hello" }]);
    await tab.page.getByText("Hello").waitFor();
    await tab.page.getByText("Add").click();
    strictEqual(await tab.page.locator("button").isDisabled(), true);
    await site.arrived("POST /api/posts"); // before the route below, which would match it
    await tab.page.route(
      "**/api/posts",
      (route) => route.fulfill({ json: [{ id: 2, title: "New" }] }),
    );
    await site.answer("POST /api/posts", { id: 2, title: "New" });
    await tab.page.getByText("New", { exact: true }).waitFor();
    await tab.page.route("**/api/posts", (route) => route.abort());
    await tab.page.getByText("Add").click();
    await tab.page.getByText("Network Error").waitFor();
    strictEqual(tab.pageErrors.length, 0);
  },
});
