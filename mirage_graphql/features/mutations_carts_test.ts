import { deepStrictEqual } from "node:assert/strict";
import { loadMock } from "../serving/load_mock.ts";
import { testWriteDialect } from "../testing/write_dialect.ts";

const CART = "2 25.00 EUR 25.00";
const CHECKOUT = "2 18 15 23";
/** A part is not called a line and has no product, and half of a piece has no exact price. */
const OTHERS = ["7", "9"];

/** Shopify and Saleor: amounts in objects, as texts and with a tax; lines of an interface. */
testWriteDialect({
  name: "prices of carts",
  state: `{
    carts { totalQuantity cost { totalAmount { amount currencyCode } subtotalAmount { amount } } }
    checkouts { quantity subtotalPrice { gross { amount } net { amount } } totalPrice { gross { amount } } }
    bills { total } scales { total }
  }`,
  data: {
    variants: [
      { id: "1", price: eur("12.50"), pricing: { price: taxed(12, 10) } },
      { id: "2", price: { amount: "3.00", currencyCode: "USD" }, pricing: { price: taxed(6, 5) } },
    ],
    carts: [
      {
        ...{ id: "1", lineIds: [{ type: "cart-line", id: "1" }], totalQuantity: 2 },
        cost: { totalAmount: eur("25.00"), subtotalAmount: eur("25.00"), note: "kept" },
      },
    ],
    cartLines: [{
      ...{ id: "1", quantity: 2, merchandiseId: { type: "variant", id: "1" } },
      cost: { amountPerQuantity: eur("12.50"), totalAmount: eur("25.00") },
    }],
    checkouts: [{
      ...{ id: "1", lineIds: ["1", "2"], quantity: 2, subtotalPrice: taxed(18, 15) },
      ...{ shippingPrice: taxed(5, 5), totalPrice: taxed(23, 20) },
    }],
    checkoutLines: [
      { id: "1", quantity: 1, variantId: "1", unitPrice: taxed(12, 10), totalPrice: taxed(12, 10) },
      { id: "2", quantity: 1, variantId: "2", unitPrice: taxed(6, 5), totalPrice: taxed(6, 5) },
    ],
    bills: [{ id: "1", total: 7, partIds: ["1"] }],
    parts: [{ id: "1", quantity: 1, price: 7 }],
    scales: [{ id: "1", total: 9, itemIds: ["1"] }],
    scaleItems: [{ id: "1", quantity: 1, price: 9 }],
  },
  schema: `
    scalar Decimal
    enum CurrencyCode { EUR USD }
    type Query {
      carts: [Cart!]! checkouts: [Checkout!]! bills: [Bill!]! scales: [Scale!]! variants: [Variant!]!
      revenue: TaxedMoney
    }
    type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
    type Money { currency: String! amount: Float! }
    type TaxedMoney { currency: String! gross: Money! net: Money! tax: Money! }
    type Variant { id: ID! price: MoneyV2! pricing(address: String): Pricing }
    type Pricing { price: TaxedMoney }
    union Merchandise = Variant

    type Cart { id: ID! totalQuantity: Int! cost: CartCost! lines(first: Int): BaseLineConnection! }
    type CartCost { totalAmount: MoneyV2! subtotalAmount: MoneyV2! note: String }
    interface BaseLine { id: ID! quantity: Int! cost: LineCost! merchandise: Merchandise! }
    type BaseLineConnection { nodes: [BaseLine!]! edges: [BaseLineEdge!]! pageInfo: PageInfo! }
    type BaseLineEdge { node: BaseLine! cursor: String! }
    type PageInfo { hasNextPage: Boolean! }
    type CartLine implements BaseLine {
      id: ID! quantity: Int! cost: LineCost! merchandise: Merchandise!
    }
    type LineCost { amountPerQuantity: MoneyV2! totalAmount: MoneyV2! }

    type Checkout {
      id: ID! quantity: Int! lines: [CheckoutLine!]!
      subtotalPrice: TaxedMoney! shippingPrice: TaxedMoney! totalPrice: TaxedMoney!
    }
    type CheckoutLine {
      id: ID! quantity: Int! variant: Variant! unitPrice: TaxedMoney! totalPrice: TaxedMoney!
    }
    type Bill { id: ID! total: Float parts: [Part!]! }
    type Part { id: ID! quantity: Int! price: Float }
    type Scale { id: ID! total: Float items: [ScaleItem!]! }
    type ScaleItem { id: ID! quantity: Float! price: Float }

    input LineInput { merchandiseId: ID! quantity: Int }
    input LineUpdate { id: ID! quantity: Int merchandiseId: ID }
    input CheckoutLineInput { variantId: ID! quantity: Int! }
    input CheckoutLineUpdate { lineId: ID! quantity: Int! }
    type CartPayload { cart: Cart }
    type CheckoutPayload { checkout: Checkout }
    type Mutation {
      cartLinesAdd(cartId: ID!, lines: [LineInput!]!): CartPayload
      cartLinesUpdate(cartId: ID!, lines: [LineUpdate!]!): CartPayload
      cartLinesRemove(cartId: ID!, lineIds: [ID!]!): CartPayload
      checkoutLinesAdd(checkoutId: ID!, lines: [CheckoutLineInput!]!): CheckoutPayload
      checkoutLinesUpdate(checkoutId: ID!, lines: [CheckoutLineUpdate!]!): CheckoutPayload
      checkoutLinesDelete(checkoutId: ID!, linesIds: [ID!]!): CheckoutPayload
      updatePart(id: ID!, quantity: Int!): Part
      updateScaleItem(id: ID!, quantity: Float!): ScaleItem
    }
  `,
  rows: [
    [
      "cartLinesAdd(cartId: 1, lines: [{ merchandiseId: 2, quantity: 3 }]) { cart { totalQuantity } }",
      { cart: { totalQuantity: 5 } },
      ["5 34.00 EUR 34.00", CHECKOUT, ...OTHERS],
    ],
    [
      "cartLinesUpdate(cartId: 1, lines: [{ id: 1, quantity: 5 }]) { cart { cost { totalAmount { amount } } } }",
      { cart: { cost: { totalAmount: { amount: "62.50" } } } },
      ["5 62.50 EUR 62.50", CHECKOUT, ...OTHERS],
    ],
    [
      "cartLinesUpdate(cartId: 1, lines: [{ id: 1, merchandiseId: 2 }]) { cart { cost { note } } }",
      { cart: { cost: { note: "kept" } } },
      ["2 6.00 USD 6.00", CHECKOUT, ...OTHERS],
    ],
    ["cartLinesRemove(cartId: 1, lineIds: [1]) { cart { totalQuantity } }", {
      cart: { totalQuantity: 0 },
    }, ["0 0.00 EUR 0.00", CHECKOUT, ...OTHERS]],
    [
      "checkoutLinesAdd(checkoutId: 1, lines: [{ variantId: 2, quantity: 2 }]) { checkout { quantity } }",
      { checkout: { quantity: 4 } },
      [CART, "4 30 25 35", ...OTHERS],
    ],
    [
      "checkoutLinesUpdate(checkoutId: 1, lines: [{ lineId: 1, quantity: 3 }]) { checkout { quantity } }",
      { checkout: { quantity: 4 } },
      [CART, "4 42 35 47", ...OTHERS],
    ],
    ["checkoutLinesDelete(checkoutId: 1, linesIds: [1, 2]) { checkout { quantity } }", {
      checkout: { quantity: 0 },
    }, [CART, "0 0 0 0", ...OTHERS]],
    ["updatePart(id: 1, quantity: 2) { quantity }", { quantity: 2 }, [CART, CHECKOUT, ...OTHERS]],
    ["updateScaleItem(id: 1, quantity: 0.5) { quantity }", { quantity: 0.5 }, [
      CART,
      CHECKOUT,
      ...OTHERS,
    ]],
  ],
  refused: [],
});

function eur(amount: string) {
  return { amount, currencyCode: "EUR" };
}

function taxed(gross: number, net: number) {
  const money = (amount: number) => ({ amount, currency: "EUR" });
  return { currency: "EUR", gross: money(gross), net: money(net), tax: money(gross - net) };
}

Deno.test("a new cart costs nothing, and has no tax, whatever is generated for it", async () => {
  const text = `
    type Money { amount: Float! currency: String! }
    type Cost { subtotalAmount: Money! totalAmount: Money! totalTaxAmount: Money! }
    type Cart { id: ID! note: String cost: Cost! totalQuantity: Int! lines: [CartLine!]! }
    type CartLine { id: ID! quantity: Int! price: Money! lineTax: Money! }
    type Query { carts: [Cart!]! }
    type Mutation { createCart(note: String): Cart! }
  `;
  const mock = await loadMock([{ path: "schema.graphql", text }]);
  const data = async (query: string) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ query });
    const request = new Request("http://127.0.0.1/", { method: "POST", headers, body });
    return (await (await mock.respond(request)).json()).data;
  };
  const all = `
    cost { subtotalAmount { amount } totalAmount { amount } totalTaxAmount { amount } }
    totalQuantity lines { quantity price { amount } lineTax { amount } }
  `;
  const none = { amount: 0 };
  deepStrictEqual((await data(`mutation { createCart(note: "a") { ${all} } }`)).createCart, {
    cost: { subtotalAmount: none, totalAmount: none, totalTaxAmount: none },
    ...{ totalQuantity: 0, lines: [] },
  });
  const { cost, lines } = (await data(`{ carts { ${all} } }`)).carts[0];
  const taxes = lines.map(({ lineTax }: { lineTax: unknown }) => lineTax);
  deepStrictEqual([cost.totalTaxAmount, taxes], [none, lines.map(() => none)]);
  mock.close();
});
