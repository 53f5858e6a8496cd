/**
 * Answers one kind of GraphQL request a number of times: `mock_flow_main.ts list 5`.
 *
 * @module
 */

import { createMockServer } from "../../mirage_graphql/testing/mock_server.ts";

const SCHEMA = `
  type Person { id: ID! firstName: String! lastName: String! posts: [Post!]! }
  type Post { id: ID! title: String! author: Person }
  input PersonInput { firstName: String! lastName: String! }
  type Query { people(lastName: String): [Person!]! posts: [Post!]! }
  input post_bool_exp { title: String_comparison_exp }
  input String_comparison_exp { _eq: String }
  input post_set_input { title: String }
  type post_mutation_response { affected_rows: Int! returning: [Post!]! }
  type Mutation {
    createPerson(input: PersonInput!): Person!
    update_posts(where: post_bool_exp!, _set: post_set_input): post_mutation_response
  }
`;

const QUERIES: Readonly<Record<string, string>> = {
  list: `{ people(lastName: "Haake") { id firstName posts { title } } }`,
  create: `mutation { createPerson(input: { firstName: "A", lastName: "B" }) { id } }`,
  hasura: `mutation {
    update_posts(where: { title: { _eq: "One" } }, _set: { title: "One" }) {
      affected_rows returning { id title }
    }
  }`,
};

const [kind = "", times = "0"] = Deno.args;
const query = QUERIES[kind];
if (query === undefined) {
  throw new RangeError(`Cannot measure "${kind}": there are list, create, hasura`);
}

const { data, server } = createMockServer(SCHEMA, {
  conventions: "common",
  data: {
    people: [{ id: "1", firstName: "Mary", lastName: "Haake", postIds: ["1"] }],
    posts: [{ id: "1", title: "One", authorId: "1" }],
  },
});
for (let sent = 0; sent < Number(times); sent++) await data(query);
server.shutdown();
