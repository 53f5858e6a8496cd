import { createGraphQLSubscriptions } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = `
  type Person { id: ID!, name: String! }
  type Query { people: [Person!]! }
  type Subscription { countdown(from: Int!): Int, personCreated: Person }
`;
const { subscribe } = createGraphQLSubscriptions(graphQLSchema, createServer({}).schema, {
  resolvers: {
    Subscription: {
      countdown: {
        async *subscribe(_obj: unknown, { from }: { from: number }) {
          for (let left = from; left > 0; left--) yield await Promise.resolve({ left });
        },
        resolve: ({ left }: { left: number }) => left,
      },
      personCreated: ({ personCreated }) => personCreated, // or something made of it
    },
  },
});
const seen = [];
for await (const { data } of subscribe({ query: "subscription { countdown(from: 2) }" })) {
  seen.push(data?.countdown);
}
console.log(seen); // [ 2, 1 ]
