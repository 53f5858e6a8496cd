import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";

/** A page of Jest's jsdom: it has a window, and neither an encoder nor a decoder of texts. */
const PAGE = `
  globalThis.window = globalThis;
  const { TextDecoder, TextEncoder } = globalThis;
  delete globalThis.TextDecoder;
  delete globalThis.TextEncoder;
  const { createFetchHandler } = await import("@trestle/mirage-graphql");
  Object.assign(globalThis, { TextDecoder, TextEncoder });
  const { createServer } = await import("miragejs");
  const { fetch } = globalThis;
  const interceptor = { create() {}, shutdown() {} };
  const { schema, db, shutdown } = createServer({ environment: "test", interceptor });
  const isUntouched = fetch === globalThis.fetch;
  const types = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
  const handler = createFetchHandler(types, schema);
  db.loadData({ people: [{ name: "Ada" }] });
  const response = await handler(new Request("http://localhost/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: "{ people { name } }" }),
  }));
  console.log(JSON.stringify([isUntouched, await response.json()]));
`;

Deno.test("the package loads where there is no TextDecoder, and Mirage leaves fetch to MSW", async () => {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", PAGE],
    cwd: ROOT,
  });
  const { success, stdout, stderr } = await command.output();
  strictEqual(success, true, new TextDecoder().decode(stderr));
  const [line = ""] = new TextDecoder().decode(stdout).split("\n");
  deepStrictEqual(JSON.parse(line), [true, { data: { people: [{ name: "Ada" }] } }]);
});
