import { listOf, someText } from "../documented_operation.ts";
import type { RealSchema } from "./real_schema.ts";

/** Shopify's API for accounts of customers. */
export const shopifyCustomer: RealSchema = {
  name: "Shopify customer account",
  package: "@shopify/hydrogen-react@2026.4.4",
  paths: ["customer-account.schema.json"],
  operations: [
    {
      name: "the customer",
      query: "query { customer { id firstName lastName emailAddress { emailAddress } } }",
      expected: { customer: { firstName: someText } },
    },
    {
      name: "orders of the customer",
      query: `query { customer { orders(first: 2, sortKey: PROCESSED_AT, reverse: true) {
        nodes { id number totalPrice { amount currencyCode } } pageInfo { hasNextPage }
      } } }`,
      expected: { customer: { orders: { nodes: (nodes: unknown) => Array.isArray(nodes) } } },
    },
    {
      name: "one order",
      query:
        "query($id: ID!) { order(id: $id) { id name lineItems(first: 3) { nodes { title quantity } } } }",
      variables: (known) => ({ id: known.ids(["Order"])[0] }),
      expected: { order: { id: someText, name: someText } },
    },
    {
      name: "addresses",
      query:
        "query { customer { addresses(first: 3) { nodes { id city } } defaultAddress { city } } }",
      expected: { customer: { addresses: { nodes: listOf({ id: someText }, 3) } } },
    },
    {
      name: "update the customer",
      query: `mutation { customerUpdate(input: {firstName: "Ada"}) {
        customer { firstName } userErrors { field message }
      } }`,
      expected: { customerUpdate: { userErrors: [] } },
    },
  ],
};
