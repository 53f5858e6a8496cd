import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";
import { withAsyncWarnings } from "../testing/warnings.ts";

const SCHEMA = `
  enum LanguageCodeEnum { DE EN }
  type Translation { id: ID! name: String! product: Product }
  type Product {
    id: ID! name: String! channel: String
    translation(languageCode: LanguageCodeEnum!): Translation
  }
  type ProductConnection { nodes: [Product!]! totalCount: Int }
  type Person { id: ID! country: String }
  type Query {
    products(first: Int, channel: String): ProductConnection
    product(id: ID, channel: String): Product
    people(country: String, lang: String): [Person!]!
  }
`;
const DATA = {
  products: [
    { id: "1", name: "Pen", channel: "adored", translationId: "1" },
    { id: "2", name: "Cup", channel: "silly", translationId: null },
  ],
  translations: [{ id: "1", name: "Stift", productId: "1" }],
  people: [{ id: "1", country: "DE" }, { id: "2", country: "FR" }],
};

Deno.test("ignoreArguments keeps arguments from filtering, also by an attribute of their name", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    ...{ conventions: "common", ignoreArguments: ["channel"] },
  });
  deepStrictEqual(
    await data(`{
      products(first: 5, channel: "default-channel") { totalCount }
      product(id: 2, channel: "default-channel") { name }
    }`),
    { products: { totalCount: 2 }, product: { name: "Cup" } },
  );
});

Deno.test("ignoreArguments works without conventions", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    ignoreArguments: ["channel", "languageCode"],
  });
  deepStrictEqual(
    await data(`{ product(id: 1, channel: "x") { translation(languageCode: DE) { name } } }`),
    { product: { translation: { name: "Stift" } } },
  );
});

Deno.test("with conventions, a language or country is about the request, unless an attribute has its name", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  deepStrictEqual(
    await data(`{
      product(id: 1) { translation(languageCode: DE) { name } }
      people(country: "FR", lang: "fr") { id }
    }`),
    { product: { translation: { name: "Stift" } }, people: [{ id: "2" }] },
  );
});

Deno.test("without conventions, a language that no attribute has is still an error", async () => {
  const { errors } = createMockServer(SCHEMA, { data: DATA });
  const [message = ""] = await errors(`{ people(lang: "fr") { id } }`);
  match(message, /^Cannot filter Query.people by the argument "lang"/);
});

Deno.test("ignoreArguments takes a list of names", () => {
  throws(() => createMockServer(SCHEMA, { ignoreArguments: "channel" as never }), {
    name: "TypeError",
    message: 'Cannot use the option "ignoreArguments" with "channel": it is a list of names',
  });
});

Deno.test("an argument that leaves no record in any of three requests is reported once", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  const ask = (channel: string) =>
    data(`{ products(first: 5, channel: "${channel}") { totalCount } }`);
  const { warnings } = await withAsyncWarnings(async () => {
    for (let count = 0; count < 5; count++) await ask("default-channel");
  });
  deepStrictEqual(warnings, [
    'Query.products was empty in 3 requests: no Product has the "channel" that they ask for. If the ' +
    'argument is about something else, give the handler the option ignoreArguments: ["channel"]',
  ]);
});

Deno.test("an argument that has matched once, or an empty table, is not reported", async () => {
  const matched = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  const empty = createMockServer(SCHEMA, { conventions: "common" });
  const { warnings } = await withAsyncWarnings(async () => {
    await matched.data(`{ products(channel: "silly") { totalCount } }`);
    for (let count = 0; count < 5; count++) {
      await matched.data(`{ products(channel: "other") { totalCount } }`);
      await empty.data(`{ products(channel: "other") { totalCount } }`);
    }
  });
  strictEqual(warnings.length, 0);
});
