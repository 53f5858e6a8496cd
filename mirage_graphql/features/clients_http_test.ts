import { ok, strictEqual } from "node:assert/strict";
import { APOLLO_3, APOLLO_4 } from "../testing/clients/apollo_clients.ts";
import { FEATURES } from "../testing/clients/http_clients.ts";
import { createHttpMock } from "../testing/clients/http_mock.ts";
import { GRAPHQL_REQUEST, URQL, VILLUS } from "../testing/clients/other_clients.ts";

const CLIENTS = [APOLLO_4, APOLLO_3, URQL, GRAPHQL_REQUEST, VILLUS];
const PAGE = new URL("../docs/clients.md", import.meta.url);

for (const { name, features } of CLIENTS) {
  Deno.test(`${name} works with a fetch handler`, async (t) => {
    for (const feature of FEATURES) {
      const use = features[feature];
      if (use !== undefined) await t.step(feature, () => use(createHttpMock()));
    }
  });
}

Deno.test("the page of clients has a check mark for each of these tests, and no other", async () => {
  const page = await Deno.readTextFile(PAGE);
  const lines = page.split("\n").filter((line) => line.startsWith("|"));
  const [head = [], , ...rows] = lines.map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
  const table = [
    ["client", ...FEATURES],
    ...CLIENTS.map(({ name, features }) => [
      name,
      ...FEATURES.map((feature) => features[feature] === undefined ? "" : "✓"),
    ]),
  ];
  ok(rows.length > 0);
  strictEqual(
    JSON.stringify([head, ...rows]),
    JSON.stringify(table),
    table.map((cells) => `| ${cells.join(" | ")} |`).join("\n"),
  );
});
