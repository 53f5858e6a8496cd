import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { watchFaults } from "../../test_support/browser/browser_page.ts";
import { launchChromium } from "../../test_support/browser/launch_chromium.ts";
import { serveFolder } from "../../test_support/browser/serve_page.ts";
import { requires } from "../../test_support/services.ts";
import { createViteProject } from "./testing/vite_project.ts";

/** A text that occurs only in Mirage's code. */
const OF_MIRAGE = "Your app tried to";

async function codeIn(folder: string): Promise<string> {
  let code = "";
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".js")) code += await Deno.readTextFile(`${folder}/${name}`);
  }
  return code;
}

/** A bound, not an expectation. */
const DEADLINE_MS = 120_000;

Deno.test({
  ...requires("chromium", requires("node", "the READMEs' steps work in a new Vite project").name),
  fn: async (t) => {
    await using project = await createViteProject();

    await t.step("it compiles and builds, without the mock", async () => {
      await project.run("npm", ["run", "build"]);
      const code = await codeIn(`${project.folder}/dist/assets`);
      deepStrictEqual([code.includes("/posts"), code.includes(OF_MIRAGE)], [true, false]);
    });

    await t.step("in development the mock answers its page", async () => {
      const env = { NODE_ENV: "development" };
      await project.run("npx", ["vite", "build", "--outDir", "dev"], env);
      await using site = serveFolder(`${project.folder}/dev`);
      const browser = await launchChromium();
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(DEADLINE_MS);
        const { consoleErrors, pageErrors } = watchFaults(page);
        await page.goto(site.url);
        await page.getByText(`Mirage: ${OF_MIRAGE} GET '/api/posts'`).waitFor();
        const answer = await page.evaluate(async () => {
          const response = await fetch("/graphql", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ query: "{ people { name } }" }),
          });
          return await response.text();
        });
        strictEqual(answer, '{"data":{"people":[{"name":"Ada"}]}}');
        deepStrictEqual([consoleErrors, pageErrors], [[], []]);
      } finally {
        await browser.close();
      }
    });
  },
});
