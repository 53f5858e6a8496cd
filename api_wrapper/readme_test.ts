import { strictEqual } from "node:assert/strict";
import { compileScript, parse } from "vue/compiler-sfc";
import { openPage } from "../scripts/browser/open_page.ts";
import { type CodeBlock, codeBlocks } from "../scripts/readme/code_blocks.ts";
import { requires } from "../scripts/services/requires.ts";
import { createHeldSite } from "./testing/held_site.ts";

async function blocksIn(language: string): Promise<CodeBlock[]> {
  const markdown = await Deno.readTextFile(new URL("./README.md", import.meta.url));
  const blocks = codeBlocks(markdown).filter((block) => block.language === language);
  strictEqual(blocks.length > 0, true);
  return blocks;
}

for (const language of ["typescript", "javascript"]) {
  Deno.test(`the README shows the set-up in ${language} as the examples have it`, async () => {
    for (const { code } of await blocksIn(language)) {
      const [, file = "", text = ""] = /^\/\/ (\S+)\n(.*)$/s.exec(code) ?? [];
      const example = new URL(`./examples/${language}/${file}`, import.meta.url);
      strictEqual(text, await Deno.readTextFile(example));
    }
  });
}

Deno.test({
  ...requires("chromium", "the component that the README opens with runs in Chromium"),
  fn: async () => {
    const [block] = await blocksIn("vue");
    const { descriptor } = parse(block?.code ?? "", { filename: "Posts.vue" });
    const script = compileScript(descriptor, { id: "posts", inlineTemplate: true });
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/posts.ts`, script.content);
      const main = `import { createApp } from "vue";
        import Posts from "./posts.ts";
        createApp(Posts).mount("#app");`;
      await Deno.writeTextFile(`${folder}/main.ts`, main);
      const site = createHeldSite();
      await using tab = await openPage(new URL(`file://${folder}/main.ts`), {
        handle: site.handle,
      });
      await tab.page.getByText("Loading").waitFor();
      await site.answer("GET /api/posts", [{ id: 1, title: "Hello" }]);
      strictEqual(await tab.page.locator("li").textContent(), "Hello");
      strictEqual(await tab.page.getByText("Loading").count(), 0);
      await tab.page.route("**/api/posts", (route) => route.abort());
      await tab.page.getByText("Reload").click();
      await tab.page.getByText("Network Error").waitFor();
      strictEqual(await tab.page.locator("li").textContent(), "Hello");
      strictEqual(tab.pageErrors.length, 0);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
