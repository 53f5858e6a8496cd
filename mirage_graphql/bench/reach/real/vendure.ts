import { listOf, someCount, someText } from "../documented_operation.ts";
import type { RealSchema } from "./real_schema.ts";

/** The server fills the enum of permissions, which is empty in its files. */
const PERMISSIONS = "\nextend enum Permission { Authenticated Owner Public SuperAdmin }";

/** Vendure's API for shops: lists with `items` and `totalItems`, results that may be errors. */
export const vendure: RealSchema = {
  name: "Vendure shop",
  package: "@vendure/core@3.7.3",
  paths: ["dist/api/schema/common", "dist/api/schema/shop-api"],
  complete: (definitions) => definitions + listOptions(definitions) + PERMISSIONS,
  operations: [
    {
      name: "products",
      query:
        "query { products(options: {take: 3, skip: 1}) { totalItems items { id name slug } } }",
      expected: { products: { totalItems: 5, items: listOf({ name: someText }, 3) } },
    },
    {
      name: "product",
      query: "query { product(id: 2) { id name variants { id name priceWithTax } } }",
      expected: { product: { id: "2", name: someText } },
    },
    {
      name: "product by slug",
      query: "query($slug: String!) { product(slug: $slug) { slug name } }",
      variables: (known) => ({ slug: known.values(["Product"], "slug")[2] }),
      expected: { product: { slug: someText } },
    },
    {
      name: "collections",
      query: "query { collections { items { id name children { name } } totalItems } }",
      expected: { collections: { items: listOf({ name: someText }), totalItems: someCount } },
    },
    {
      name: "active order",
      query: "query { activeOrder { id code lines { id quantity productVariant { name } } } }",
      expected: { activeOrder: { code: someText } },
    },
    {
      name: "countries",
      query: "query { availableCountries { code name } }",
      expected: { availableCountries: listOf({ name: someText }) },
    },
    {
      name: "create an address",
      query:
        `mutation { createCustomerAddress(input: {streetLine1: "1 Main St", countryCode: "US"}) {
        id streetLine1
      } }`,
      expected: { createCustomerAddress: { streetLine1: "1 Main St" } },
    },
    {
      name: "delete an address",
      query: `mutation { deleteCustomerAddress(id: 1) { success } }`,
      expected: { deleteCustomerAddress: { success: true } },
    },
  ],
};

/** The server adds these fields to the options of lists. */
function listOptions(definitions: string): string {
  const names = new Set(
    Array.from(definitions.matchAll(/^input (\w+ListOptions)/gm), ([, name]) => name),
  );
  return [...names].map((name) => `\nextend input ${name} { skip: Int take: Int }`).join("");
}
