import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";
import { testWriteDialect } from "../testing/write_dialect.ts";

const CART = "1 2 [1 2 1]";
const ORDER = "1 1 [1 1]";
const GALLERY = "1 [1]";
const ISSUE = "1 [1]";

/** Shopify, Vendure, Stash and GitHub: lists of a record that types alone point out. */
testWriteDialect({
  name: "lists of apps",
  state: `{
    carts { id totalQuantity lines(first: 9) { nodes { id quantity merchandise { id } } } }
    orders { id totalQuantity lines { id quantity } } galleries { id images { id } }
    issues { id labels { id } }
  }`,
  data: {
    carts: [{ id: "1", totalQuantity: 2, lineIds: ["1"] }],
    cartLines: [{ id: "1", quantity: 2, merchandiseId: "1" }],
    variants: [{ id: "1" }, { id: "2" }],
    orders: [{ id: "1", totalQuantity: 1, lineIds: ["1"] }],
    orderLines: [{ id: "1", quantity: 1, productVariantId: "1" }],
    galleries: [{ id: "1", imageIds: ["1"] }],
    images: [{ id: "1" }, { id: "2" }],
    issues: [{ id: "1", labelIds: ["1"] }],
    labels: [{ id: "1" }, { id: "2" }],
  },
  schema: `
    type Query {
      carts: [Cart!]! orders: [Order!]! galleries: [Gallery!]! images: [Image!]! issues: [Issue!]!
      labels: [Label!]! activeOrder: Order variants: [Variant!]!
    }
    type Variant { id: ID! }
    type Cart { id: ID! totalQuantity: Int! lines(first: Int): CartLines! }
    type CartLines { nodes: [CartLine!]! edges: [CartLineEdge!]! pageInfo: PageInfo! }
    type CartLineEdge { node: CartLine! cursor: String! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type CartLine { id: ID! quantity: Int! merchandise: Variant! }
    type Order { id: ID! totalQuantity: Int! lines: [OrderLine!]! }
    type OrderLine { id: ID! quantity: Int! productVariant: Variant! }
    type OrderError { message: String! }
    union OrderResult = Order | OrderError
    type Gallery { id: ID! images: [Image!]! }
    type Image { id: ID! }
    type Issue { id: ID! labels: [Label!]! }
    type Label { id: ID! name: String }
    input LineInput { merchandiseId: ID! quantity: Int sellingPlanId: ID }
    input LineUpdate { id: ID! quantity: Int }
    input GalleryInput { gallery_id: ID! image_ids: [ID!]! }
    type UserError { message: String! }
    type CartPayload { cart: Cart userErrors: [UserError!]! }
    type Mutation {
      cartLinesAdd(cartId: ID!, lines: [LineInput!]!): CartPayload
      cartLinesUpdate(cartId: ID!, lines: [LineUpdate!]!): CartPayload
      cartLinesRemove(cartId: ID!, lineIds: [ID!]!): CartPayload
      galleryImagesReorder(galleryId: ID!, imageIds: [ID!]!): Gallery
      addItemToOrder(productVariantId: ID!, quantity: Int!): OrderResult!
      adjustOrderLine(orderLineId: ID!, quantity: Int!): OrderResult!
      removeOrderLine(orderLineId: ID!): OrderResult!
      addGalleryImages(input: GalleryInput!): Boolean!
      removeGalleryImages(input: GalleryInput!): Boolean!
      addLabelToIssue(issueId: ID!, labelId: ID!): Issue
      addIssueSupport(issueId: ID!, name: String!): Issue
      createCart(id: String!, line: LineInput!): Cart
    }
  `,
  rows: [
    [
      "cartLinesAdd(cartId: 1, lines: [{ merchandiseId: 2, quantity: 3 }]) { cart { totalQuantity } userErrors { message } }",
      { cart: { totalQuantity: 5 }, userErrors: [] },
      ["1 5 [1 2 1 2 3 2]", ORDER, GALLERY, ISSUE],
    ],
    [
      "cartLinesAdd(cartId: 1, lines: [{ merchandiseId: 1 }]) { cart { totalQuantity } }",
      { cart: { totalQuantity: 3 } },
      ["1 3 [1 3 1]", ORDER, GALLERY, ISSUE],
    ],
    [
      "cartLinesUpdate(cartId: 1, lines: [{ id: 1, quantity: 7 }]) { cart { totalQuantity } }",
      { cart: { totalQuantity: 7 } },
      ["1 7 [1 7 1]", ORDER, GALLERY, ISSUE],
    ],
    [
      "cartLinesUpdate(cartId: 1, lines: [{ id: 1, quantity: 0 }]) { cart { totalQuantity } }",
      { cart: { totalQuantity: 0 } },
      ["1 0 []", ORDER, GALLERY, ISSUE],
    ],
    [
      "cartLinesRemove(cartId: 1, lineIds: [1]) { cart { lines { nodes { id } } } }",
      { cart: { lines: { nodes: [] } } },
      ["1 0 []", ORDER, GALLERY, ISSUE],
    ],
    [
      "addItemToOrder(productVariantId: 2, quantity: 2) { ... on Order { lines { quantity } } }",
      { lines: [{ quantity: 1 }, { quantity: 2 }] },
      [CART, "1 3 [1 1 2 2]", GALLERY, ISSUE],
    ],
    [
      "addItemToOrder(productVariantId: 1, quantity: 2) { ... on Order { totalQuantity } }",
      { totalQuantity: 3 },
      [CART, "1 3 [1 3]", GALLERY, ISSUE],
    ],
    [
      "adjustOrderLine(orderLineId: 1, quantity: 4) { ... on Order { totalQuantity } }",
      { totalQuantity: 4 },
      [CART, "1 4 [1 4]", GALLERY, ISSUE],
    ],
    [
      "removeOrderLine(orderLineId: 1) { ... on Order { totalQuantity } }",
      { totalQuantity: 0 },
      [CART, "1 0 []", GALLERY, ISSUE],
    ],
    ["addGalleryImages(input: { gallery_id: 1, image_ids: [2] })", true, [
      CART,
      ORDER,
      "1 [1 2]",
      ISSUE,
    ]],
    ["removeGalleryImages(input: { gallery_id: 1, image_ids: [1] })", true, [
      CART,
      ORDER,
      "1 []",
      ISSUE,
    ]],
    ["addLabelToIssue(issueId: 1, labelId: 2) { labels { id } }", {
      labels: [{ id: "1" }, { id: "2" }],
    }, [CART, ORDER, GALLERY, "1 [1 2]"]],
    ["galleryImagesReorder(galleryId: 1, imageIds: [2, 1]) { images { id } }", {
      images: [{ id: "2" }, { id: "1" }],
    }, [CART, ORDER, "1 [2 1]", ISSUE]],
  ],
  refused: [
    ["cartLinesAdd(cartId: 9, lines: []) { cart { id } }", /^Cannot find Cart "9": there is no/],
    [
      "cartLinesAdd(cartId: 1, lines: [{ merchandiseId: 9 }]) { cart { id } }",
      /there is no Variant "9"/,
    ],
    [
      "cartLinesAdd(cartId: 1, lines: [{ merchandiseId: 1, sellingPlanId: 1 }]) { cart { id } }",
      /sellingPlanId/,
    ],
    ["cartLinesRemove(cartId: 1, lineIds: [9]) { cart { id } }", /CartLine/],
    ['addIssueSupport(issueId: 1, name: "x") { id }', /default resolver/],
    ['createCart(id: "1", line: { merchandiseId: 1 }) { id }', /takes "id", which no rule reads/],
  ],
});

Deno.test("numbers of a record that count a list follow it, and others stay", async () => {
  const { data } = createMockServer(
    `
    type Gallery { id: ID! imagesCount: Int num_images: Int imageNumber: String images: [Image!]! }
    type Image { id: ID! }
    type Query { galleries: [Gallery!]! images: [Image!]! }
    type Mutation { addGalleryImages(galleryId: ID!, imageIds: [ID!]!): Gallery }
  `,
    {
      data: {
        galleries: [{ id: "1", imagesCount: 1, num_images: 1, imageNumber: "A1", imageIds: ["1"] }],
        images: [{ id: "1" }, { id: "2" }],
      },
      conventions: "common",
    },
  );
  const call = "addGalleryImages(galleryId: 1, imageIds: [2])";
  const { addGalleryImages } = await data(
    `mutation { ${call} { imagesCount num_images imageNumber } }`,
  );
  deepStrictEqual(addGalleryImages, { imagesCount: 2, num_images: 2, imageNumber: "A1" });
});
