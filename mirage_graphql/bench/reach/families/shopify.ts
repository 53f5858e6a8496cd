import type { Family } from "../documented_operation.ts";

/** In the style of Shopify: sort keys, `reverse`, and payloads with `userErrors`. */
export const shopify: Family = {
  name: "Shopify",
  schema: `
    scalar URL
    interface Node { id: ID! }
    enum ProductSortKeys { CREATED_AT ID RELEVANCE TITLE VENDOR }
    enum CurrencyCode { CAD USD }
    type MoneyV2 { amount: String! currencyCode: CurrencyCode! }
    type Product implements Node { id: ID! title: String! handle: String! vendor: String price: MoneyV2 variants(first: Int after: String last: Int before: String reverse: Boolean = false): ProductVariantConnection! }
    type ProductVariant implements Node { id: ID! title: String! product: Product! }
    type ProductConnection { edges: [ProductEdge!]! nodes: [Product!]! pageInfo: PageInfo! }
    type ProductEdge { cursor: String! node: Product! }
    type ProductVariantConnection { edges: [ProductVariantEdge!]! nodes: [ProductVariant!]! pageInfo: PageInfo! }
    type ProductVariantEdge { cursor: String! node: ProductVariant! }
    type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
    type UserError { field: [String!] message: String! }
    input ProductInput { id: ID title: String handle: String vendor: String }
    input ProductDeleteInput { id: ID! }
    type ProductCreatePayload { product: Product userErrors: [UserError!]! }
    type ProductUpdatePayload { product: Product userErrors: [UserError!]! }
    type ProductDeletePayload { deletedProductId: ID userErrors: [UserError!]! }
    type QueryRoot {
      node(id: ID!): Node
      nodes(ids: [ID!]!): [Node]!
      product(id: ID!): Product
      productByHandle(handle: String!): Product
      products(first: Int after: String last: Int before: String reverse: Boolean = false sortKey: ProductSortKeys = ID query: String): ProductConnection!
    }
    type Mutation {
      productCreate(input: ProductInput!): ProductCreatePayload
      productUpdate(input: ProductInput!): ProductUpdatePayload
      productDelete(input: ProductDeleteInput!): ProductDeletePayload
    }
    schema { query: QueryRoot mutation: Mutation }
  `,
  seeds: {
    products: [
      {
        id: "p1",
        title: "Shirt",
        handle: "shirt",
        vendor: "Acme",
        price: { amount: "9.00", currencyCode: "CAD" },
      },
      { id: "p2", title: "Hat", handle: "hat", vendor: null, price: null },
      { id: "p3", title: "Coat", handle: "coat", vendor: "Burr", price: null },
    ],
    productVariants: [
      { id: "v1", title: "Small", product: "p1" },
      { id: "v2", title: "Large", product: "p1" },
    ],
  },
  operations: [
    {
      name: "first",
      query:
        "{ products(first: 2) { edges { cursor node { id title } } pageInfo { hasNextPage } } }",
      expected: {
        products: {
          edges: [{ node: { title: "Shirt" } }, { node: { title: "Hat" } }],
          pageInfo: { hasNextPage: true },
        },
      },
    },
    {
      name: "sort key, reverse",
      query: "{ products(first: 3, sortKey: TITLE, reverse: true) { nodes { title } } }",
      expected: { products: { nodes: [{ title: "Shirt" }, { title: "Hat" }, { title: "Coat" }] } },
    },
    {
      name: "by handle",
      query: `{ productByHandle(handle: "coat") { id title } }`,
      expected: { productByHandle: { id: "p3", title: "Coat" } },
    },
    {
      name: "an embedded object, and a connection",
      query: `{ product(id: "p1") {
        price { amount currencyCode } variants(first: 5) { nodes { title } }
      } }`,
      expected: {
        product: {
          price: { amount: "9.00", currencyCode: "CAD" },
          variants: { nodes: [{ title: "Small" }, { title: "Large" }] },
        },
      },
    },
    {
      name: "node",
      query: `{ node(id: "v2") { id ... on ProductVariant { title product { title } } } }`,
      expected: { node: { id: "v2", title: "Large", product: { title: "Shirt" } } },
    },
    {
      name: "create",
      query: `mutation { productCreate(input: {title: "New", handle: "new"}) {
        product { title handle } userErrors { field message }
      } }`,
      expected: { productCreate: { product: { title: "New", handle: "new" }, userErrors: [] } },
    },
    {
      name: "update",
      query: `mutation { productUpdate(input: {id: "p2", title: "Cap"}) {
        product { id title handle } userErrors { message }
      } }`,
      expected: {
        productUpdate: { product: { id: "p2", title: "Cap", handle: "hat" }, userErrors: [] },
      },
    },
    {
      name: "delete",
      query:
        `mutation { productDelete(input: {id: "p2"}) { deletedProductId userErrors { message } } }`,
      expected: { productDelete: { deletedProductId: "p2", userErrors: [] } },
      then: "{ products { nodes { id } } }",
      expectedThen: { products: { nodes: [{ id: "p1" }, { id: "p3" }] } },
    },
  ],
};
