import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer, type Tables } from "../testing/mock_server.ts";
import { testWriteDialect } from "../testing/write_dialect.ts";

const SCHEMA = `
  scalar Map
  type Query { configuration: Config theme: Theme activeOrder: Order orders: [Order!]! }
  type Config { general: ConfigGeneralResult ui: Map }
  type ConfigGeneralResult { path: String threads: Int }
  type Theme { color: String dark: Boolean }
  type Order { id: ID! code: String shippingAddress: OrderAddress billing: OrderAddress }
  type OrderAddress { street: String city: String }
  type NoOrder { message: String! }
  union OrderResult = Order | NoOrder
  input ConfigGeneralInput { path: String threads: Int excludes: String }
  input ThemeInput { color: String dark: Boolean }
  input AddressInput { street: String city: String default: Boolean }
  type Mutation {
    configureGeneral(input: ConfigGeneralInput!): ConfigGeneralResult!
    configureUI(input: Map, partial: Map): Map!
    configureUISetting(key: String!, value: Int): Map!
    setTheme(color: String, dark: Boolean): Theme
    updateTheme(input: ThemeInput!): Theme
    createTheme(input: ThemeInput!): Theme
    setOrderShippingAddress(input: AddressInput!): OrderResult!
    updateOrderShippingAddress(orderId: ID!, input: AddressInput!): Order
    updateOrderGiftWrap(orderId: ID!, input: AddressInput!): Order
    transitionOrderToCode(code: String!): OrderResult
    verifyOrder(code: String!): OrderResult
    setOrderGiftWrap(input: AddressInput!): OrderResult!
  }
`;

/** Stash's settings, and the parts of Vendure's orders. */
testWriteDialect({
  name: "objects that exist once, and parts of records",
  state: "{ orders { code shippingAddress { street city } } }",
  data: {
    themes: [{ id: "1", color: "red", dark: false }],
    orders: [
      { id: "1", code: "A", shippingAddress: { street: "1 Main St", city: "Rome" } },
      { id: "2", code: "B" },
    ],
  },
  schema: SCHEMA,
  rows: [
    ['setOrderShippingAddress(input: { street: "2 Side St" }) { ... on Order { code } }', {
      code: "A",
    }, ["A 2 Side St -", "B -"]],
    ['transitionOrderToCode(code: "Z") { ... on Order { code } }', { code: "Z" }, [
      "Z 1 Main St Rome",
      "B -",
    ]],
    [
      'updateOrderShippingAddress(orderId: 1, input: { street: "2 Side St" }) { code }',
      { code: "A" },
      ["A 2 Side St Rome", "B -"],
    ],
  ],
  refused: [
    ['verifyOrder(code: "A") { ... on Order { code } }', /default resolver/],
    ['setOrderGiftWrap(input: { street: "x" }) { ... on Order { code } }', /default resolver/],
    [
      "setOrderShippingAddress(input: { default: true }) { ... on Order { code } }",
      /OrderAddress has no such field/,
    ],
    ['updateOrderGiftWrap(orderId: 1, input: { street: "x" }) { code }', /has no "street"/],
    ['configureGeneral(input: { excludes: "x" }) { path }', /excludes/],
    ['updateOrderShippingAddress(orderId: 9, input: { street: "x" }) { code }', /Order "9"/],
  ],
});

Deno.test("a part that is a record is a new one, and options next to it are ignored", async () => {
  const schema = `
    type Query { checkouts: [Checkout!]! addresses: [Address!]! }
    type Checkout { id: ID! token: ID! shippingAddress: Address }
    type Address { id: ID! city: String }
    input AddressInput { city: String skipValidation: Boolean }
    input Rules { strict: Boolean }
    type Payload { checkout: Checkout }
    type Mutation {
      checkoutShippingAddressUpdate(
        shippingAddress: AddressInput! id: ID token: ID saveAddress: Boolean = true rules: Rules
      ): Payload
    }
  `;
  const { data, errors, dump } = createMockServer(schema, {
    ...{ conventions: "common", unknownArguments: "ignore" },
    data: {
      addresses: [{ id: "1", city: "Rome" }],
      checkouts: [{ id: "1", token: "a", shippingAddressId: "1" }, { id: "2", token: "b" }],
    },
  });
  const update = (args: string) =>
    `mutation { checkoutShippingAddressUpdate(${args}) { checkout { shippingAddress { city } } } }`;
  for (const [key, city] of [["id: 2", "Rome"], ['token: "b"', "Oslo"]] as const) {
    deepStrictEqual(await data(update(`${key}, shippingAddress: { city: "${city}" }`)), {
      checkoutShippingAddressUpdate: { checkout: { shippingAddress: { city } } },
    });
  }
  const [message = ""] = await errors(update('shippingAddress: { city: "Bern" }'));
  match(message, /there is no record/);
  deepStrictEqual(dump().checkouts, [
    { id: "1", token: "a", shippingAddressId: "1" },
    { id: "2", token: "b", shippingAddressId: "3" },
  ]);
});

for (const isSeeded of [false, true]) {
  const seeds: Tables = isSeeded
    ? {
      configs: [{ id: "1", general: { path: "/a", threads: 1 }, ui: { old: 1 } }],
      themes: [{ id: "1", color: "red", dark: false }],
    }
    : {};
  const options = { data: seeds, conventions: "common" } as const;

  Deno.test(`settings ${isSeeded ? "with" : "without"} a record keep what is written`, async () => {
    const { data, dump } = createMockServer(SCHEMA, options);
    deepStrictEqual(
      await data(`mutation { configureGeneral(input: { path: "/b" }) { path } }`),
      { configureGeneral: { path: "/b" } },
    );
    deepStrictEqual(await data("{ configuration { general { path threads } } }"), {
      configuration: { general: { path: "/b", threads: isSeeded ? 1 : null } },
    });
    deepStrictEqual(dump().configs?.length, 1);
    await data(`mutation { setTheme(dark: true) { dark } }`);
    deepStrictEqual(await data(`mutation { updateTheme(input: { color: "blue" }) { dark } }`), {
      updateTheme: { dark: true },
    });
    deepStrictEqual(await data("{ theme { color dark } }"), {
      theme: { color: "blue", dark: true },
    });
    deepStrictEqual(dump().themes?.length, 1);
  });

  Deno.test(`settings ${isSeeded ? "with" : "without"} a record keep an object without a type`, async () => {
    const { data } = createMockServer(SCHEMA, options);
    const mutate = "mutation($ui: Map) { configureUI(partial: $ui) }";
    const old = isSeeded ? { old: 1 } : {};
    deepStrictEqual(await data(mutate, { ui: { a: 1 } }), { configureUI: { ...old, a: 1 } });
    await data('mutation { configureUISetting(key: "b", value: 2) }');
    deepStrictEqual(await data("{ configuration { ui } }"), {
      configuration: { ui: { ...old, a: 1, b: 2 } },
    });
    await data("mutation($ui: Map) { configureUI(input: $ui) }", { ui: { c: 3 } });
    deepStrictEqual(await data("{ configuration { ui } }"), { configuration: { ui: { c: 3 } } });
  });
}
