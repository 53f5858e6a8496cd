import { listOf, someText } from "../documented_operation.ts";
import type { RealSchema } from "./real_schema.ts";

/** The schema that Relay's own tests use: its own `@defer`, and relations that lead back. */
export const relayCompiler: RealSchema = {
  name: "Relay's test schema",
  package: "relay-test-utils-internal@21.0.1",
  paths: ["lib/testschema.graphql"],
  operations: [
    {
      name: "me",
      query: "query { me { id name } }",
      expected: { me: { name: someText } },
    },
    {
      name: "node",
      query: "query($id: ID!) { node(id: $id) { __typename id ... on User { name } } }",
      variables: (known) => ({ id: known.ids(["User"])[1] }),
      expected: { node: { id: someText } },
    },
    {
      name: "friends",
      query: `query($id: ID!) { fetch__User(id: $id) { friends(first: 2) {
        edges { cursor node { name } } pageInfo { hasNextPage endCursor }
      } } }`,
      variables: (known) => ({ id: known.ids(["User"])[0] }),
      expected: {
        fetch__User: {
          friends: { edges: listOf({ cursor: someText, node: { name: someText } }, 2) },
        },
      },
    },
    {
      name: "username",
      query: "query($name: String!) { username(name: $name) { name } }",
      variables: (known) => ({ name: known.values(["User"], "name")[0] }),
      expected: { username: { name: someText } },
    },
  ],
};
