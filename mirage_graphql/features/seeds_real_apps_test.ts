import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createSeeds } from "../seeds.ts";
import { createMockServer } from "../testing/mock_server.ts";

/** The first generated record of the only type. */
function first(fields: string, scalars = ""): Record<string, unknown> {
  const [record = {}] = createSeeds(`
    ${scalars}
    type Post { id: ID! ${fields} }
    type Query { posts: [Post!]! }
  `).posts ?? [];
  return record;
}

Deno.test("createSeeds() lets the name of a field say more than the scalar Time", () => {
  const { created_at, updatedAt, opens } = first(
    "created_at: Time! updatedAt: Time! opens: Time!",
    "scalar Time",
  );
  match(String(created_at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  match(String(updatedAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  match(String(opens), /^\d\d:\d\d:\d\d$/);
});

Deno.test("createSeeds() gives a text named date no time of day", () => {
  const { date, releaseDate, createdAt, datetime } = first(
    "date: String releaseDate: String! createdAt: String! datetime: String!",
  );
  for (const day of [date, releaseDate]) match(String(day), /^\d{4}-\d\d-\d\d$/);
  for (const moment of [createdAt, datetime]) match(String(moment), /T/);
});

Deno.test("createSeeds() generates objects for scalars that are named after objects", () => {
  const scalars = "scalar Map scalar JSONObject scalar UIConfig scalar AnyObject scalar Color";
  const record = first("ui: Map! a: JSONObject b: UIConfig! c: AnyObject color: Color!", scalars);
  deepStrictEqual([record.ui, record.b, record.c], [{}, {}, {}]);
  strictEqual(typeof record.a, "object");
  strictEqual(typeof record.color, "string");
});

Deno.test("a missing value of a scalar such as Map is an object", async () => {
  const { data } = createMockServer(
    "scalar Map type Config { id: ID! ui: Map! } type Query { config: Config }",
    { data: { configs: [{ id: "1" }] }, defaults: "generate" },
  );
  deepStrictEqual(await data("{ config { ui } }"), { config: { ui: {} } });
});

Deno.test("createSeeds() generates names for identifiers that are named after texts", () => {
  const { username, slug, parent } = first("username: ID! slug: ID! parent: ID!");
  match(String(username), /^[a-z]+\.[a-z]+$/);
  match(String(slug), /^[a-z]+-[a-z]+$/);
  match(String(parent), /^\d+$/);
});

Deno.test("createSeeds() gives ids in embedded objects to records of the type in their name", () => {
  const { carts = [], products = [] } = createSeeds(
    `
    type Product { id: ID! name: String! }
    type Hit { productId: ID! productIds: [ID!]! score: Float! sku: ID! }
    type Cart { id: ID! hits: [Hit!]! best: Hit! }
    type Query { carts: [Cart!]! products: [Product!]! }
  `,
    { values: { Product: { id: (index: number) => String(index + 1) } } },
  );
  const ids = products.map(({ id }) => id);
  interface Hit {
    readonly productId: string;
    readonly productIds: readonly string[];
    readonly sku: string;
  }
  for (const { hits, best } of carts as unknown as { hits: Hit[]; best: Hit }[]) {
    for (const { productId, productIds, sku } of [...hits, best]) {
      for (const id of [productId, ...productIds]) ok(ids.includes(id), id);
      match(sku, /^\d{3}-\d{4}$/);
    }
  }
});

const STASH = `
  type Scene { id: ID! title: String! tags: [Tag!]! }
  type Tag { id: ID! name: String! scene_count(depth: Int): Int! }
  type Query { tags: [Tag!]! scenes: [Scene!]! }
  input SceneInput { title: String! tags: [ID!] }
  type Mutation { createScene(input: SceneInput!): Scene }
`;

Deno.test("createSeeds() counts the records that refer to one by a relation of theirs alone", () => {
  const { tags = [], scenes = [] } = createSeeds(STASH);
  for (const { id, scene_count: count } of tags) {
    const own = scenes.filter(({ tagIds }) => (tagIds as string[]).includes(String(id)));
    strictEqual(count, own.length);
  }
});

Deno.test("a number counts the records that refer to its own, and follows writes", async () => {
  const { data } = createMockServer(STASH, {
    data: {
      tags: [{ id: "1", name: "a" }, { id: "2", name: "b" }],
      scenes: [{ id: "1", title: "One", tagIds: ["1"] }],
    },
    conventions: "common",
  });
  const counts = async () =>
    (await data("{ tags { scene_count } }")).tags.map((tag: { scene_count: number }) =>
      tag.scene_count
    );
  deepStrictEqual(await counts(), [1, 0]);
  await data(`mutation { createScene(input: { title: "Two", tags: [1, 2] }) { id } }`);
  deepStrictEqual(await counts(), [2, 1]);
});

Deno.test("createSeeds() gives the first record of a type some of everything", () => {
  const schema = `
    type User { id: ID! name: String! orders: [Order!]! teams: [Team!]! }
    type Order { id: ID! user: User lines: [Line!]! }
    type Line { id: ID! order: Order! }
    type Team { id: ID! users: [User!]! }
    type Query { me: User orders: [Order!]! teams: [Team!]! }
  `;
  for (const seed of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const { users: [user] = [], orders: [order] = [], teams: [team] = [] } = createSeeds(schema, {
      seed,
    });
    for (const ids of [user?.orderIds, user?.teamIds, order?.lineIds, team?.userIds]) {
      ok(Array.isArray(ids) && ids.length > 0, JSON.stringify({ seed, user, order, team }));
    }
  }
});

Deno.test("createSeeds() generates images whose text is inside of a square, whatever a page crops", () => {
  const { posts = [] } = createSeeds(`
    type Performer { id: ID! image: String! }
    type Post { id: ID! performerImage: String! }
    type Query { posts: [Performer!]! performers: [Performer!]! }
  `);
  strictEqual(posts.length, 5);
  const [{ image } = { image: "" }] = createSeeds(
    "type Performer { id: ID! image: String! } type Query { performers: [Performer!]! }",
  ).performers ?? [];
  const svg = decodeURIComponent(String(image));
  match(svg, /viewBox="0 0 96 96"/);
  const size = Number(/font-size="(\d+)"/.exec(svg)?.[1]);
  // a letter of a sans-serif font is at most two thirds as wide as high, on average
  ok(size * "Performer".length * 2 / 3 <= 64, svg);
});

Deno.test("createSeeds() fills the pages that conventions recognize, as relations", async () => {
  const schema = `
    type OrderList { items: [Order!]! totalItems: Int! }
    type Customer { id: ID! orders: OrderList! }
    type Order { id: ID! customer: Customer }
    type Query { activeCustomer: Customer orders: [Order!]! }
  `;
  const conventions = "common";
  const { data } = createMockServer(schema, {
    data: createSeeds(schema, { conventions }),
    conventions,
  });
  const { activeCustomer: { orders } } = await data(
    "{ activeCustomer { orders { totalItems items { customer { id } } } } }",
  );
  ok(orders.totalItems >= 2, JSON.stringify(orders));
  strictEqual(orders.items.length, orders.totalItems);
  strictEqual(orders.items[0].customer.id, "1");
});

Deno.test("createSeeds() fills lists of an interface through connections", () => {
  const { carts = [], cartLines = [], giftLines = [] } = createSeeds(
    `
    interface BaseLine { id: ID! quantity: Int! }
    type CartLine implements BaseLine { id: ID! quantity: Int! }
    type GiftLine implements BaseLine { id: ID! quantity: Int! }
    type BaseLineConnection { edges: [BaseLineEdge!]! pageInfo: PageInfo! }
    type BaseLineEdge { cursor: String! node: BaseLine! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Cart { id: ID! totalQuantity: Int! lines(first: Int): BaseLineConnection! }
    type Query { carts: [Cart!]! }
  `,
  );
  const lines: ReadonlyMap<string, readonly Record<string, unknown>[]> = new Map([
    ["cart-line", cartLines],
    ["gift-line", giftLines],
  ]);
  const keys = (carts[0]?.lineIds ?? []) as { type: string; id: string }[];
  ok(keys.length > 0);
  for (const { type, id } of keys) ok(lines.get(type)?.some((line) => line.id === id));
});

Deno.test("createSeeds() adds up the quantities of a list, unless a value is given", () => {
  const schema = `
    type Cart { id: ID! totalQuantity: Int! totalPrice: Float! lines: [Line!]! }
    type Line { id: ID! quantity: Int! price: Float! }
    type Query { carts: [Cart!]! }
  `;
  const sums = ({ carts = [], lines = [] }: ReturnType<typeof createSeeds>) =>
    carts.map(({ lineIds }) =>
      lines.filter(({ id }) => (lineIds as unknown[]).includes(id))
        .reduce((total, { quantity }) => total + Number(quantity), 0)
    );
  const seeds = createSeeds(schema);
  deepStrictEqual(seeds.carts?.map(({ totalQuantity }) => totalQuantity), sums(seeds));
  const given = createSeeds(schema, { values: { Cart: { totalQuantity: 7 } } });
  deepStrictEqual(new Set(given.carts?.map(({ totalQuantity }) => totalQuantity)), new Set([7]));
});

Deno.test("createSeeds() counts the items of an embedded list, and no money", () => {
  const { searches = [] } = createSeeds(`
    type Hit { sku: String! }
    type Facet { count: Int! }
    type Search { id: ID! items: [Hit!]! totalItems: Int! total: Int! facets: [Facet!]! }
    type Query { search(term: String): Search searches: [Search!]! }
  `);
  for (const { items, totalItems } of searches) strictEqual(totalItems, (items as object[]).length);
  ok(searches.some(({ items, total }) => total !== (items as object[]).length));
});

Deno.test("numbers of the only list, and of its records in a state, follow what is written", async () => {
  const schema = `
    type User { id: ID! totalCount: Int! completedCount: Int! todos: [Todo!]! }
    type Todo { id: ID! complete: Boolean! text: String }
    input TodoInput { text: String userId: ID! }
    type Query { users: [User!]! }
    type Mutation { addTodo(input: TodoInput!): Todo completeTodo(id: ID!): Todo }
  `;
  const conventions = "common";
  const { data, dump } = createMockServer(schema, {
    ...{ data: createSeeds(schema, { conventions }), conventions, defaults: "generate" },
  });
  const counts = async () => (await data("{ users { totalCount completedCount } }")).users[0];
  const expected = () => {
    const ids = dump().users?.[0]?.todoIds as unknown[];
    const todos = dump().todos?.filter(({ id }) => ids.includes(id)) ?? [];
    return {
      totalCount: todos.length,
      completedCount: todos.filter(({ complete }) => complete === true).length,
    };
  };
  const before = expected();
  deepStrictEqual(await counts(), before);
  const { addTodo } = await data(
    'mutation { addTodo(input: { text: "a", userId: 1 }) { id complete } }',
  );
  const after = { ...before, totalCount: before.totalCount + 1 };
  deepStrictEqual([addTodo.complete, await counts()], [false, after]);
  await data(`mutation { completeTodo(id: ${addTodo.id}) { id } }`);
  deepStrictEqual(await counts(), { ...after, completedCount: before.completedCount + 1 });
});

Deno.test("createSeeds() gives carts the prices of their lines, in one currency and without taxes", () => {
  const { variants = [], lines = [], carts = [] } = createSeeds(
    `
    scalar Money
    enum CurrencyCode { AED EUR USD }
    type Amount { amount: Float! currency: String! }
    type TaxedMoney { gross: Amount! net: Amount! tax: Amount! currency: String! }
    type Variant { id: ID! price: Money! priceWithTax: Money! currencyCode: CurrencyCode! }
    type Line {
      id: ID! quantity: Int! variant: Variant! unitPriceWithTax: Money! linePriceWithTax: Money!
      taxRate: Float!
    }
    type Cart {
      id: ID! lines: [Line!]! subTotalWithTax: Money! shippingWithTax: Money! totalWithTax: Money!
      tax: Money! fee: TaxedMoney!
    }
    type Query { carts: [Cart!]! variants: [Variant!]! }
  `,
    { conventions: "common" },
  );
  const numberOf = (value: unknown) => {
    ok(Number.isInteger(value), String(value));
    return Number(value);
  };
  for (const { price, priceWithTax, currencyCode } of variants) {
    deepStrictEqual([priceWithTax, currencyCode], [numberOf(price), "USD"]);
  }
  for (const { quantity, variantId, unitPriceWithTax, linePriceWithTax, taxRate } of lines) {
    const price = variants.find(({ id }) => id === variantId)?.price;
    const expected = [price, numberOf(price) * numberOf(quantity), 0];
    deepStrictEqual([unitPriceWithTax, linePriceWithTax, taxRate], expected);
  }
  for (const { lineIds, subTotalWithTax, shippingWithTax, totalWithTax, tax, fee } of carts) {
    const sum = lines.filter(({ id }) => (lineIds as unknown[]).includes(id))
      .reduce((total, { linePriceWithTax }) => total + numberOf(linePriceWithTax), 0);
    deepStrictEqual([subTotalWithTax, totalWithTax, tax], [
      sum,
      sum + numberOf(shippingWithTax),
      0,
    ]);
    const { gross, net, tax: none } = fee as Record<string, { amount: number }>;
    deepStrictEqual([net, none?.amount], [gross, 0]);
  }
});

Deno.test("createSeeds() gives the country of an address its name and code", () => {
  const { addresses = [] } = createSeeds(`
    enum CountryCode { AD GH PT NO JP PE BE CA KE AU IN US UY }
    type CountryDisplay { code: String! country: String! iso: CountryCode! }
    type Address { id: ID! country: CountryDisplay! countryCode: CountryCode! }
    type Query { addresses: [Address!]! }
  `);
  const names = new Intl.DisplayNames("en", { type: "region" });
  for (const { country, countryCode } of addresses) {
    const name = names.of(String(countryCode));
    deepStrictEqual(country, { code: countryCode, country: name, iso: countryCode });
  }
});
