import { createGraphQLHandler, mockGraphQLFieldResolver } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const graphQLSchema = `
  type Person { id: ID! name: String! initial: String! }
  type Query { people(name: String, sorted: Boolean): [Person!]! }
`;
const server = createServer({ environment: "test" });
server.db.loadData({ people: [{ name: "Grace" }, { name: "Ada" }] });

const handler = createGraphQLHandler(graphQLSchema, server.schema, {
  resolvers: {
    Person: { initial: ({ name }) => String(name)[0] },
    Query: {
      people(obj, { sorted, ...args }, context, info) {
        const people = mockGraphQLFieldResolver<{ name: string }[]>(obj, args, context, info);
        return sorted ? people.sort((a, b) => a.name.localeCompare(b.name)) : people;
      },
    },
  },
});
console.log(await handler.query("{ people(sorted: true) { name initial } }"));
// { people: [ { name: "Ada", initial: "A" }, { name: "Grace", initial: "G" } ] }
