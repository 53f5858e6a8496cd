import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { launchChromium } from "../../test_support/browser/launch_chromium.ts";
import { requires } from "../../test_support/services.ts";
import { createExecutor } from "../execution/executor.ts";
import { personSchema } from "../testing/person_schema.ts";
import { createFetchHandlerFor } from "./fetch_handler.ts";

const DEADLINE_MS = 120_000;

Deno.test({
  ...requires(
    "chromium",
    "GraphiQL runs a query in a browser, and sends no request to other servers",
  ),
  fn: async () => {
    const executor = createExecutor(personSchema(), { mockSchema: {} });
    const handler = createFetchHandlerFor(executor);
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
    const origin = `http://127.0.0.1:${server.addr.port}`;
    await using browser = await launchChromium();
    const page = await browser.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!/^(data|blob):/.test(url) && !url.startsWith(origin)) elsewhere.push(url);
    });
    const query = encodeURIComponent("query Shown { people { name } }");
    await page.goto(`${origin}/graphql?query=${query}`);
    await page.getByRole("button", { name: /Execute/ }).click();
    const result = page.locator(".result-window");
    await result.getByText("Zoë").first().waitFor();
    match(await result.innerText(), /Ada/);
    deepStrictEqual(elsewhere, []);
    const names = handler.operations.map(({ name }) => name);
    deepStrictEqual(names.toSorted(), ["IntrospectionQuery", "Shown"]);
    strictEqual(handler.operations.every(({ errors }) => errors.length === 0), true);
  },
});

Deno.test("a missing GraphiQL package is reported with advice to add it", async () => {
  const file = JSON.stringify(new URL("graphiql_page.ts", import.meta.url).href);
  const program = `const { answerPage } = await import(${file});
    const answer = await answerPage(true);
    console.log(answer.status, await answer.text());`;
  const folder = await Deno.makeTempDir();
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-config", program],
    cwd: folder,
  }).output();
  await Deno.remove(folder);
  strictEqual(
    new TextDecoder().decode(stdout),
    "501 Cannot import @graphql-yoga/render-graphiql: add the package to the project; in a bundle " +
      "or a service worker set the option graphiql to a function that creates the page\n",
    new TextDecoder().decode(stderr),
  );
});
