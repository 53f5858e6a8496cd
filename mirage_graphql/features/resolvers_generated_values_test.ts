import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  scalar DateTime
  enum Currency { USD EUR }
  union Owner = Person | Robot
  type Person { id: ID! name: String! }
  type Robot { serial: String! }
  type Money { amount: Float! currency: Currency! }
  type Product {
    id: ID! title: String! subtitle: String isGift: Boolean! soldAt: DateTime!
    price: Money! shipping: Money tags: [String!]! prices: [Money!]! owner: Owner! reviews: ReviewConnection!
  }
  type Review { id: ID! author(name: String): Person! editor(name: String): Person }
  type ReviewEdge { cursor: String! node: Review! }
  type ReviewConnection { edges: [ReviewEdge!]! pageInfo: PageInfo! averageStars: Float! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type Settings { theme: Theme! }
  type Theme { name: String! }
  type Query { settings: Settings! product: Product! byTitle(title: String!): Product! byId(id: ID!): Product! maybe(title: String!): Product reviews: ReviewConnection! review: Review! version: String! }
  input ProductInput { title: String! }
  type Mutation { createProduct(input: ProductInput!): Product! }
`;

const DATA = { products: [{ id: "1", title: "Hat" }] };

Deno.test('defaults: "generate" generates missing values of non-null fields by their types', async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, defaults: "generate" });
  const query = `{
    product {
      title subtitle isGift soldAt price { amount currency } shipping { amount }
      tags prices { amount } owner { __typename ... on Robot { serial } }
      reviews { averageStars edges { cursor } pageInfo { hasNextPage endCursor } }
    }
    version
    settings { theme { name } }
  }`;
  deepStrictEqual(await data(query), {
    product: {
      title: "Hat",
      subtitle: null,
      isGift: false,
      soldAt: "2026-01-01T00:00:00.000Z",
      price: { amount: 0, currency: "USD" },
      shipping: null,
      tags: [],
      prices: [],
      owner: { __typename: "Robot", serial: "serial" },
      reviews: { averageStars: 0, edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
    },
    version: "version",
    settings: { theme: { name: "name" } },
  });
});

Deno.test('defaults: "generate" resolves a non-null lookup without a match to any record, except by id', async () => {
  const { data, errors } = createMockServer(SCHEMA, { data: DATA, defaults: "generate" });
  deepStrictEqual(await data('{ byTitle(title: "Coat") { id } maybe(title: "Coat") { id } }'), {
    byTitle: { id: "1" },
    maybe: null,
  });
  match((await errors("{ byId(id: 2) { id } }"))[0] ?? "", /^Cannot resolve Query.byId/);
});

Deno.test('defaults: "generate" keeps a related record that must not be null, whatever the filter', async () => {
  const people = [{ id: "1", name: "Ada" }];
  const reviews = [{ id: "1", authorId: "1", editorId: "1" }];
  const { data } = createMockServer(SCHEMA, {
    data: { people, reviews },
    defaults: "generate",
  });
  deepStrictEqual(
    await data('{ review { author(name: "Bob") { name } editor(name: "Bob") { name } } }'),
    { review: { author: { name: "Ada" }, editor: null } },
  );
});

Deno.test('defaults: "generate" reads no missing record', async () => {
  const { errors } = createMockServer(SCHEMA, { defaults: "generate" });
  match(
    (await errors("{ review { id } }"))[0] ?? "",
    /^Cannot resolve Query.review: no Review fits/,
  );
});

Deno.test("without the option, the error says what is missing", async () => {
  const { errors } = createMockServer(SCHEMA, { data: DATA });
  match((await errors("{ product { price { amount } } }"))[0] ?? "", /has no "price"/);
});
