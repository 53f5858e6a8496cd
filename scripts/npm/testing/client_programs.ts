/** A GraphQL client that is tested on Node alone: Deno, or the other packages here, rule it out. */
export interface ClientProgram {
  readonly name: string;
  /** Packages to install, as arguments of npm. */
  readonly packages: readonly string[];
  /** A module for Node, which ends with an error if something is wrong. */
  readonly program: string;
}

const MOCK = `
import { createFetchHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";
import { deepStrictEqual, rejects } from "node:assert/strict";
const mirage = createServer({ environment: "test" });
const handler = createFetchHandler(
  \`type Person { id: ID!, name: String! }
   input PersonInput { name: String! }
   type Query { people: [Person!]!, person(id: ID!): Person, bad: String }
   type Mutation { createPerson(input: PersonInput!): Person! }\`,
  mirage.schema,
  { resolvers: { Query: { bad: () => Promise.reject(new Error("disk full")) } } },
);
mirage.create("person", { name: "Ada" });
const namesOf = (people) => people.map(({ name }) => name);
`;

// MSW 3 is for Node 22, of which it needs no more than this function
const MSW = `
Promise.withResolvers ??= () => {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
const { http } = await import("msw");
const { setupServer } = await import("msw/node");
const url = "https://api.test/graphql";
const worker = setupServer(http.all(url, ({ request }) => handler(request)));
worker.listen();
const ask = async (query, init = {}) => {
  const body = JSON.stringify({ query });
  const headers = { "Content-Type": "application/json" };
  return await (await fetch(url, { method: "POST", headers, body, ...init })).json();
};
await ask('mutation { createPerson(input: { name: "Bo" }) { id } }');
const query = "query People { people { name } }";
deepStrictEqual(namesOf((await ask(query)).data.people), ["Ada", "Bo"]);
deepStrictEqual((await ask("{ bad }")).errors.map(({ path }) => path), [["bad"]]);
handler.failNext("People", "network");
await rejects(ask(query), TypeError);
handler.failNext("People", "timeout");
const controller = new AbortController();
const asked = ask(query, { signal: controller.signal });
await handler.seen("People");
controller.abort();
await rejects(asked, { name: "AbortError" });
worker.close();
`;

const VUE_APOLLO = `
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client/core/index.js";
import { provideApolloClient, useMutation, useQuery } from "@vue/apollo-composable";
import { effectScope, nextTick } from "vue";
const PEOPLE = gql("query People { people { id name } }");
const link = new HttpLink({
  uri: "http://mock.test/graphql",
  fetch: async (url, init) => {
    const response = await handler(new Request(url, init));
    if (response.type === "error") throw new TypeError("Failed to fetch");
    return response;
  },
});
provideApolloClient(new ApolloClient({ link, cache: new InMemoryCache() }));
const scope = effectScope();
const use = (...args) => scope.run(() => useQuery(...args));
const loaded = ({ onResult, onError }) =>
  new Promise((resolve, reject) => {
    onResult(({ loading, data }) => loading || resolve(data));
    onError(reject);
  });
const people = use(PEOPLE);
await loaded(people);
const { mutate } = scope.run(() =>
  useMutation(
    gql("mutation Create($input: PersonInput!) { createPerson(input: $input) { id name } }"),
    {
      update: (cache, { data: { createPerson } }) =>
        cache.updateQuery({ query: PEOPLE }, ({ people }) => ({
          people: [...people, createPerson],
        })),
    },
  )
);
await mutate({ input: { name: "Bo" } });
await nextTick();
deepStrictEqual(namesOf(people.result.value.people), ["Ada", "Bo"]);
const ONE = gql("query One($id: ID!) { person(id: $id) { id name } }");
deepStrictEqual((await loaded(use(ONE, { id: "2" }))).person.name, "Bo");
handler.failNext("People", "network");
await rejects(loaded(use(PEOPLE, {}, { fetchPolicy: "network-only" })), /Failed to fetch/);
await rejects(loaded(use(gql("query Bad { bad }"))), ({ graphQLErrors: [{ message, path }] }) => {
  deepStrictEqual([message, path], ["disk full", ["bad"]]);
  return true;
});
scope.stop();
`;

/** The programs of clients, which need graphql 16, by the member that answers them. */
export const CLIENT_PROGRAMS: Readonly<Record<string, readonly ClientProgram[]>> = {
  mirage_graphql: [
    { name: "MSW 3", packages: ["msw@3"], program: MOCK + MSW },
    {
      name: "@vue/apollo-composable",
      packages: ["@vue/apollo-composable@4", "@apollo/client@3"],
      program: MOCK + VUE_APOLLO,
    },
  ],
};
