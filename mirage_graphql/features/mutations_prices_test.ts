import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";
import { testWriteDialect } from "../testing/write_dialect.ts";

const ORDER = "3 400 50 450 480 a";
const LINE_1 = "2 100 200 200 240";
const LINE_2 = "1 200 180 200 240";

const SCHEMA = `
    scalar Money
    type Query { orders: [Order!]! lines: [Line!]! variants: [Variant!]! activeOrder: Order }
    type Variant { id: ID! price: Money! priceWithTax: Money! }
    type Order {
      id: ID! code: String! totalQuantity: Int! subTotal: Money! shipping: Money total: Money!
      totalWithTax: Money! lines: [Line!]!
    }
    type Line {
      id: ID! quantity: Int! variant: Variant! unitPrice: Money! unitPriceWithTax: Money!
      discountedUnitPrice: Money! discountedLinePrice: Money linePrice: Money! linePriceWithTax: Money!
    }
    input LineInput { variantId: ID! quantity: Int! unitPrice: Money }
    input LineUpdate { unitPrice: Money! }
    input OrderInput { code: String! shipping: Money total: Money lines: [LineInput!]! }
    type Mutation {
      addLineToOrder(variantId: ID!, quantity: Int!): Order!
      adjustOrderLine(lineId: ID!, quantity: Int!): Order!
      removeOrderLine(lineId: ID!): Order!
      updateLine(id: ID!, input: LineUpdate!): Line!
      deleteLine(id: ID!): Line
      updateOrder(id: ID!, code: String, total: Money): Order!
      createOrder(input: OrderInput!): Order!
      createLine(input: LineInput!): Line!
    }
`;

const DATA = {
  orders: [{
    ...{ id: "1", code: "a", lineIds: ["1", "2"], totalQuantity: 3 },
    ...{ subTotal: 400, shipping: 50, total: 450, totalWithTax: 480 },
  }],
  lines: [
    { id: "1", quantity: 2, variantId: "1", unitPrice: 100, discountedUnitPrice: 100 },
    { id: "2", quantity: 1, variantId: "2", unitPrice: 200, discountedUnitPrice: 180 },
  ].map((line) => ({
    ...line,
    unitPriceWithTax: line.unitPrice * 1.2,
    discountedLinePrice: line.quantity * line.discountedUnitPrice,
    linePrice: line.quantity * line.unitPrice,
    linePriceWithTax: line.quantity * line.unitPrice * 1.2,
  })),
  variants: [
    { id: "1", price: 100, priceWithTax: 120 },
    { id: "2", price: 200, priceWithTax: 240 },
    { id: "3", price: 30, priceWithTax: 36 },
  ],
};

/** Prices as numbers, as in Vendure: of lines, with and without a tax, and of what they are about. */
testWriteDialect({
  name: "prices of an order",
  state: `{
    orders { totalQuantity subTotal shipping total totalWithTax code }
    lines { quantity unitPrice discountedLinePrice linePrice linePriceWithTax }
  }`,
  data: DATA,
  schema: SCHEMA,
  rows: [
    [
      "addLineToOrder(variantId: 3, quantity: 4) { subTotal total }",
      { subTotal: 520, total: 570 },
      [
        "7 520 50 570 624 a",
        LINE_1,
        LINE_2,
        "4 30 120 120 144",
      ],
    ],
    ["addLineToOrder(variantId: 1, quantity: 4) { total }", { total: 850 }, [
      "7 800 50 850 960 a",
      "6 100 600 600 720",
      LINE_2,
    ]],
    ["adjustOrderLine(lineId: 2, quantity: 3) { total }", { total: 850 }, [
      "5 800 50 850 960 a",
      LINE_1,
      "3 200 540 600 720",
    ]],
    ["removeOrderLine(lineId: 1) { total }", { total: 250 }, [
      "1 200 50 250 240 a",
      LINE_1,
      LINE_2,
    ]],
    ["deleteLine(id: 1) { id }", { id: "1" }, ["1 200 50 250 240 a", LINE_2]],
    ["updateLine(id: 2, input: { unitPrice: 10 }) { linePrice }", { linePrice: 10 }, [
      "3 210 50 260 480 a",
      LINE_1,
      "1 10 180 10 240",
    ]],
    ['updateOrder(id: 1, code: "b") { code }', { code: "b" }, [
      "3 400 50 450 480 b",
      LINE_1,
      LINE_2,
    ]],
    ["updateOrder(id: 1, total: 5) { total }", { total: 5 }, [
      "3 400 50 5 480 a",
      LINE_1,
      LINE_2,
    ]],
    [
      `createOrder(input: { code: "c", shipping: 5, lines: [
        { variantId: 3, quantity: 2 }, { variantId: 1, quantity: 1, unitPrice: 7 }
      ] }) { total }`,
      { total: 72 },
      [ORDER, "3 67 5 72 79 c", LINE_1, LINE_2, "2 30 60 60 72", "1 7 7 7 7"],
    ],
    [
      'createOrder(input: { code: "d", total: 99, lines: [{ variantId: 3, quantity: 2 }] }) { total }',
      { total: 99 },
      [ORDER, "2 60 - 99 72 d", LINE_1, LINE_2, "2 30 60 60 72"],
    ],
  ],
  refused: [],
});

Deno.test("prices stay as they are without conventions, and if a line has none", async () => {
  const strict = createMockServer(SCHEMA, { data: DATA });
  await strict.data(
    "mutation { updateLine(id: 2, input: { unitPrice: 10 }) { id } deleteLine(id: 1) { id } }",
  );
  const read = "{ orders { totalQuantity subTotal total } lines { linePrice } }";
  const orders = [{ totalQuantity: 3, subTotal: 400, total: 450 }];
  deepStrictEqual(await strict.data(read), { orders, lines: [{ linePrice: 200 }] });

  const [one = {}, other = {}] = DATA.lines;
  const { data } = createMockServer(SCHEMA, {
    data: { ...DATA, lines: [{ ...one, unitPrice: null, linePrice: null }, other] },
    conventions: "common",
  });
  const adjusted = "mutation { adjustOrderLine(lineId: 2, quantity: 3) { totalQuantity total } }";
  deepStrictEqual(await data(adjusted), { adjustOrderLine: { totalQuantity: 5, total: 450 } });
});

Deno.test("a mutation that is refused changes no price", async () => {
  const { answer, dump } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  const before = dump();
  await answer("mutation { addLineToOrder(variantId: 9, quantity: 4) { id } }");
  deepStrictEqual(dump(), before);
});

Deno.test("a new record has the prices of its item, or none, whatever is generated for it", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: { variants: DATA.variants },
    ...{ conventions: "common", defaults: "generate" },
  });
  const { createLine } = await data(
    "mutation { createLine(input: { variantId: 1, quantity: 3 }) { unitPrice linePrice } }",
  );
  deepStrictEqual(createLine, { unitPrice: 100, linePrice: 300 });
});
