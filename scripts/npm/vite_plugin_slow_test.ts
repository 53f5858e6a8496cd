import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { watchFaults } from "../../test_support/browser/browser_page.ts";
import { launchChromium } from "../../test_support/browser/launch_chromium.ts";
import { requires } from "../../test_support/services.ts";
import { VITES } from "./testing/mock_project.ts";
import { createPluginProject, SCHEMA } from "./testing/plugin_project.ts";

/** A bound, not an expectation. */
const DEADLINE_MS = 120_000;

Deno.test({
  ...requires("chromium", requires("node", "the plugin serves a mock on Vite's dev server").name),
  fn: async (t) => {
    await using project = await createPluginProject();
    const browser = await launchChromium();
    try {
      // pages of one context share a window, which costs more than they do
      const context = await browser.newContext();
      for (const vite of VITES) {
        await t.step(`${vite}: queries, streams, GraphiQL, a changed schema, and SSR`, async () => {
          await project.write("schema.graphql", SCHEMA);
          await using server = await project.start(vite);
          const page = await context.newPage();
          page.setDefaultTimeout(DEADLINE_MS);
          const { pageErrors } = watchFaults(page);
          await page.goto(server.url);
          await page.waitForFunction("window.client !== undefined");
          strictEqual(
            await page.evaluate("ask('{ people { name } }')"),
            '{"data":{"people":[{"name":"Ada"}]}}',
          );
          strictEqual(
            await page.evaluate("subscribe()"),
            '{"data":{"personCreated":{"name":"Eve"}}}',
          );
          match(String(await page.evaluate("stream()")), /^event: next\ndata: .*"Ada"/m);

          await project.write(
            "schema.graphql",
            SCHEMA.replace("name: String!", "name: String! age: Int!"),
          );
          match(
            String(await page.evaluate("askUntil('{ people { name age } }', /^.\"data\"/)")),
            /^{"data":{"people":\[{"name":"Ada","age":\d+}\]}}$/,
          );
          strictEqual(await page.evaluate("isReloaded()"), false);
          deepStrictEqual(pageErrors, []);

          const graphiql = await context.newPage();
          graphiql.setDefaultTimeout(DEADLINE_MS);
          const introspected = graphiql.waitForResponse((response) =>
            response.url() === `${server.url}graphql` && response.request().method() === "POST"
          );
          await graphiql.goto(`${server.url}graphql`);
          strictEqual(await graphiql.title(), "GraphiQL");
          ok((await introspected).ok());
          await Promise.all([page.close(), graphiql.close()]);

          strictEqual(
            await server.render(),
            '{"data":{"createPerson":{"name":"Max"}}} {"data":{"people":[{"name":"Ada"},{"name":"Max"}]}}',
          );
        });

        await t.step(`${vite}: a build has no trace of it`, async () => {
          const [built = {}, without] = await project.build(vite, [
            "vite.config.ts",
            "none.config.mjs",
          ]);
          ok(Object.keys(built).length > 0);
          deepStrictEqual(built, without);
        });
      }
      await t.step("the types of each version accept it", async () => {
        deepStrictEqual(await project.compile(VITES), []);
      });
    } finally {
      await browser.close();
    }
  },
});
