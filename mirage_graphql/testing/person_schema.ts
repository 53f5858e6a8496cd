import { makeExecutableSchema } from "@graphql-tools/schema";
import type { GraphQLSchema } from "graphql";

const PEOPLE = [{ id: "1", name: "Ada" }, { id: "2", name: "Zoë" }];

const typeDefs = `
  type Person { id: ID! name: String! }
  type Query { people: [Person!]! person(id: ID!): Person hello(name: String = "you"): String }
  type Mutation { rename(id: ID!, name: String!): Person }
  type Subscription { renamed: Person }
`;

/** Resolvers of one type, by field. */
export type FieldResolvers = Record<
  string,
  // the boundary: resolvers of tests take any parameters
  // deno-lint-ignore no-explicit-any
  (obj: any, args: any, context: any) => unknown
>;

/** A small executable schema with its own data; `query` adds or replaces resolvers of queries. */
export function personSchema(query: FieldResolvers = {}): GraphQLSchema {
  const people = PEOPLE.map((person) => ({ ...person }));
  const byId = (id: string) => people.find((person) => person.id === id);
  return makeExecutableSchema({
    typeDefs,
    resolvers: {
      Query: {
        people: () => people,
        person: (_obj: unknown, { id }: { id: string }) => byId(id),
        hello: (_obj: unknown, { name }: { name: string }) => `Hello, ${name}`,
        ...query,
      },
      Mutation: {
        rename: (_obj: unknown, { id, name }: { id: string; name: string }) =>
          Object.assign(byId(id) ?? {}, { name }),
      },
    },
  });
}
