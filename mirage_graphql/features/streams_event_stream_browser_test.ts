import { launchChromium } from "../../test_support/browser/launch_chromium.ts";
import { requires } from "../../test_support/services.ts";
import { createFetchHandler } from "../mod.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import { until } from "../testing/until.ts";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]! }
  type Subscription { personCreated: Person! }
`;

/** A bound, not an expectation. */
const DEADLINE_MS = 120_000;

Deno.test({
  ...requires("chromium", "GraphiQL shows the events of a subscription in a browser"),
  fn: async () => {
    const mock = createSeedServer();
    const handler = createFetchHandler(graphQLSchema, mock.schema);
    const tables = trackWrites(parseMockSchema(mock.schema).db);
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
    await using browser = await launchChromium();
    const page = await browser.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    const query = encodeURIComponent("subscription Made { personCreated { name } }");
    await page.goto(`http://127.0.0.1:${server.addr.port}/graphql?query=${query}`);
    await page.getByRole("button", { name: /Execute/ }).click();
    await until(() => tables.listeners === 1);
    const result = page.locator(".result-window");
    for (const name of ["Ada", "Zoë"]) {
      mock.create("person", { name });
      await result.getByText(name).first().waitFor();
    }
    await page.getByRole("button", { name: /Stop/ }).click();
    await until(() => tables.listeners === 0);
  },
});
