import { deepStrictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { delegateAll } from "../testing/delegate_all.ts";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Customer { id: ID! name: String orders: [Order!]! }
  type Order { id: ID! note: String customer: Customer! }
  type OrderEdge { node: Order cursor: String! }
  type Query { customer: Customer orders: [Order!]! }
  input CustomerInput { name: String }
  input OrderInput { note: String }
  type CustomerPayload { customer: Customer userErrors: [String!]! }
  type OrderPayload { orderEdge: OrderEdge clientMutationId: String }
  type Mutation {
    customerUpdate(input: CustomerInput!): CustomerPayload
    addOrder(input: OrderInput!): OrderPayload
  }
`;

const MUTATIONS: readonly (readonly [what: string, query: string, expected: object])[] = [
  [
    "updates the record that the root field without arguments returns",
    'mutation { customerUpdate(input: { name: "Eve" }) { customer { id name } userErrors } }',
    { customerUpdate: { customer: { id: "1", name: "Eve" }, userErrors: [] } },
  ],
  [
    "returns the payload, and links the new record to the one that it requires",
    'mutation { addOrder(input: { note: "x" }) { orderEdge { cursor node { note customer { name } } } } }',
    {
      addOrder: {
        orderEdge: { cursor: btoa("Order:1"), node: { note: "x", customer: { name: "Ada" } } },
      },
    },
  ],
];

for (const [what, query, expected] of MUTATIONS) {
  for (const resolvers of [undefined, delegateAll(buildSchema(SCHEMA))]) {
    const whose = resolvers ? "whose resolvers only delegate" : "without resolvers";
    Deno.test(`a mutation by convention, ${whose}, ${what}`, async () => {
      const { data } = createMockServer(SCHEMA, {
        data: { customers: [{ id: "1", name: "Ada" }] },
        conventions: "common",
        defaults: "generate",
        resolvers,
      });
      deepStrictEqual(await data(query), expected);
    });
  }
}
