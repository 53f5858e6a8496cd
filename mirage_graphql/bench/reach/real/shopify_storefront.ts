import { listOf, someText } from "../documented_operation.ts";
import type { RealSchema } from "./real_schema.ts";

/** Shopify's API for stores: sort keys, money, carts whose lines are an interface. */
export const shopifyStorefront: RealSchema = {
  name: "Shopify storefront",
  package: "@shopify/hydrogen-react@2026.4.4",
  paths: ["storefront.schema.json"],
  operations: [
    {
      name: "shop",
      query: "query { shop { name primaryDomain { url host } } }",
      expected: { shop: { name: someText, primaryDomain: { host: someText } } },
    },
    {
      name: "products",
      query: `query { products(first: 3) { edges { cursor node { id title handle
        priceRange { minVariantPrice { amount currencyCode } } } } pageInfo { hasNextPage } } }`,
      expected: {
        products: {
          edges: listOf({ cursor: someText, node: { title: someText } }, 3),
          pageInfo: { hasNextPage: true },
        },
      },
    },
    {
      name: "products in an order",
      query: "query { products(first: 5, sortKey: TITLE, reverse: true) { nodes { title } } }",
      expected: { products: { nodes: descendingTitles } },
    },
    {
      name: "product by handle",
      query: `query($handle: String!) { product(handle: $handle) {
        id handle variants(first: 2) { nodes { id title price { amount } } } media(first: 1) { edges { node { mediaContentType } } }
      } }`,
      variables: (known) => ({ handle: known.values(["Product"], "handle")[1] }),
      expected: { product: { handle: someText } },
    },
    {
      name: "collection with products",
      query:
        `query($id: ID!) { collection(id: $id) { title products(first: 2) { nodes { title } } } }`,
      variables: (known) => ({ id: known.ids(["Collection"])[0] }),
      expected: {
        collection: { title: someText, products: { nodes: listOf({ title: someText }, 2) } },
      },
    },
    {
      name: "blog articles",
      query: "query { blogs(first: 1) { nodes { title articles(first: 2) { nodes { title } } } } }",
      expected: { blogs: { nodes: listOf({ title: someText }, 1) } },
    },
    {
      name: "localization",
      query: "query { localization { country { isoCode name } availableLanguages { isoCode } } }",
      expected: { localization: { country: { name: someText } } },
    },
    {
      name: "create a customer",
      query:
        `mutation { customerCreate(input: {email: "ada@example.com", password: "secret", firstName: "Ada"}) {
        customer { id email firstName } customerUserErrors { code message }
      } }`,
      expected: {
        customerCreate: {
          customer: { email: "ada@example.com", firstName: "Ada" },
          customerUserErrors: [],
        },
      },
    },
    {
      name: "create a cart",
      query:
        `mutation { cartCreate(input: {note: "A gift"}) { cart { id note } userErrors { message } } }`,
      expected: { cartCreate: { cart: { id: someText, note: "A gift" }, userErrors: [] } },
    },
  ],
};

function descendingTitles(nodes: unknown): boolean {
  if (!Array.isArray(nodes) || nodes.length < 2) return false;
  const titles = nodes.map(({ title }: { title: string }) => title);
  return titles.every((title, index) => index === 0 || (titles[index - 1] ?? "") >= title);
}
