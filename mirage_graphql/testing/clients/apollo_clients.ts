import { ApolloClient, type ApolloLink, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Defer20220824Handler } from "@apollo/client/incremental";
import { BatchHttpLink } from "@apollo/client/link/batch-http";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { relayStylePagination } from "@apollo/client/utilities";
import * as apollo3 from "apollo-client-3/core/index.js";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  checkAbort,
  checkHashes,
  checkNetworkFailure,
  type HttpClient,
  namesOf,
} from "./http_clients.ts";
import {
  CREATE,
  DEFERRED,
  type HttpMock,
  NAMES,
  PAGE,
  PEOPLE,
  PERSON,
  PETS,
  URL_OF_MOCK,
} from "./http_mock.ts";

type Data = Record<string, never>;

const CACHE = {
  possibleTypes: { Pet: ["Cat", "Dog"] },
  typePolicies: { Query: { fields: { peoplePage: relayStylePagination() } } },
};

function createApollo(link: ApolloLink): ApolloClient {
  return new ApolloClient({
    link,
    cache: new InMemoryCache(CACHE),
    incrementalHandler: new Defer20220824Handler(),
  });
}

const overHttp = ({ fetch }: HttpMock) => createApollo(new HttpLink({ uri: URL_OF_MOCK, fetch }));

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Apollo Client 4. */
export const APOLLO_4: HttpClient = {
  name: "@apollo/client 4",
  features: {
    async query(mock) {
      const { data } = await overHttp(mock).query<Data>({ query: gql(PEOPLE) });
      deepStrictEqual(namesOf(data?.people), NAMES);
    },
    async variables(mock) {
      const { data } = await overHttp(mock).query<Data>({
        query: gql(PERSON),
        variables: { id: "2" },
      });
      deepStrictEqual(namesOf([data?.person]), ["Grace"]);
    },
    async "mutation with cache update"(mock) {
      const client = overHttp(mock);
      await client.query({ query: gql(PEOPLE) });
      await client.mutate<Data>({
        mutation: gql(CREATE),
        variables: { input: { name: "Barbara" } },
        update(cache, { data }) {
          cache.updateQuery<{ people: unknown[] }>({ query: gql(PEOPLE) }, (old) => ({
            people: [...old?.people ?? [], data?.createPerson],
          }));
        },
      });
      const data = client.readQuery<Data>({ query: gql(PEOPLE) });
      deepStrictEqual(namesOf(data?.people), [...NAMES, "Barbara"]);
      strictEqual(mock.bodies.length, 2);
    },
    async "errors with path"(mock) {
      const query = gql("query Bad { bad }");
      const { error } = await overHttp(mock).query({ query, errorPolicy: "all" });
      const [first] = error !== undefined && "errors" in error && Array.isArray(error.errors)
        ? error.errors
        : [];
      deepStrictEqual([first?.message, first?.path], ["Cannot be good", ["bad"]]);
    },
    async "network failure"(mock) {
      const client = overHttp(mock);
      await checkNetworkFailure(
        mock,
        () => client.query({ query: gql(PEOPLE), fetchPolicy: "network-only" }),
      );
    },
    async pages(mock) {
      const client = overHttp(mock);
      const read = () => JSON.parse(JSON.stringify(client.readQuery({ query: gql(PAGE) })));
      await client.query({ query: gql(PAGE) });
      const { endCursor } = read().peoplePage.pageInfo;
      const variables = { after: endCursor };
      await client.query({ query: gql(PAGE), variables, fetchPolicy: "network-only" });
      const { edges } = read().peoplePage;
      deepStrictEqual(namesOf(edges.map(({ node }: { node: unknown }) => node)), NAMES);
    },
    async unions(mock) {
      const client = overHttp(mock);
      await client.query({ query: gql(PETS) });
      const fragment = gql("fragment Lives on Cat { lives }");
      const cat = client.cache.readFragment<Data>({ id: "Cat:1", fragment });
      strictEqual(Number(cat?.lives), 9);
      const data = client.readQuery<Data>({ query: gql(PETS) });
      deepStrictEqual(namesOf(data?.pets), ["Minka", "Rex"]);
    },
    async batch(mock) {
      const { fetch } = mock;
      const client = createApollo(new BatchHttpLink({ uri: URL_OF_MOCK, fetch, batchInterval: 1 }));
      await Promise.all([client.query({ query: gql(PEOPLE) }), client.query({ query: gql(PETS) })]);
      deepStrictEqual(mock.bodies.map((body) => JSON.parse(body).length), [2]);
    },
    async "persisted queries"(mock) {
      const { fetch } = mock;
      const persisted = new PersistedQueryLink({ sha256 });
      const client = createApollo(persisted.concat(new HttpLink({ uri: URL_OF_MOCK, fetch })));
      for (const _ of [1, 2]) {
        const { data } = await client.query<Data>({
          query: gql(PEOPLE),
          fetchPolicy: "network-only",
        });
        deepStrictEqual(namesOf(data?.people), NAMES);
      }
      checkHashes(mock);
    },
    async "@defer"(mock) {
      const query = overHttp(mock).watchQuery<Data>({ query: gql(DEFERRED) });
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const subscription = query.subscribe({
        next: ({ data, dataState }) => dataState === "complete" && resolve(data.people),
        error: reject,
      });
      deepStrictEqual(namesOf(await promise), NAMES);
      subscription.unsubscribe();
    },
    async abort(mock) {
      const client = overHttp(mock);
      await checkAbort(
        mock,
        (signal) => client.query({ query: gql(PEOPLE), context: { fetchOptions: { signal } } }),
      );
    },
  },
};

function overHttp3({ fetch }: HttpMock) {
  const { ApolloClient, HttpLink, InMemoryCache } = apollo3;
  return new ApolloClient({
    link: new HttpLink({ uri: URL_OF_MOCK, fetch }),
    cache: new InMemoryCache({ possibleTypes: CACHE.possibleTypes }),
  });
}

/** Apollo Client 3. */
export const APOLLO_3: HttpClient = {
  name: "@apollo/client 3",
  features: {
    async query(mock) {
      const { data } = await overHttp3(mock).query({ query: apollo3.gql(PEOPLE) });
      deepStrictEqual(namesOf(data.people), NAMES);
    },
    async variables(mock) {
      const variables = { id: "2" };
      const { data } = await overHttp3(mock).query({ query: apollo3.gql(PERSON), variables });
      deepStrictEqual(namesOf([data.person]), ["Grace"]);
    },
    async "mutation with cache update"(mock) {
      const client = overHttp3(mock);
      await client.query({ query: apollo3.gql(PEOPLE) });
      await client.mutate({
        mutation: apollo3.gql(CREATE),
        variables: { input: { name: "Barbara" } },
        refetchQueries: [{ query: apollo3.gql(PEOPLE) }],
        awaitRefetchQueries: true,
      });
      const data = client.readQuery({ query: apollo3.gql(PEOPLE) });
      deepStrictEqual(namesOf(data.people), [...NAMES, "Barbara"]);
    },
    async "errors with path"(mock) {
      const query = apollo3.gql("query Bad { bad }");
      const { errors = [] } = await overHttp3(mock).query({ query, errorPolicy: "all" });
      deepStrictEqual(errors.map(({ message, path }) => [message, path]), [
        ["Cannot be good", ["bad"]],
      ]);
    },
    async "network failure"(mock) {
      const client = overHttp3(mock);
      await checkNetworkFailure(
        mock,
        () => client.query({ query: apollo3.gql(PEOPLE), fetchPolicy: "network-only" }),
      );
    },
    async unions(mock) {
      const client = overHttp3(mock);
      await client.query({ query: apollo3.gql(PETS) });
      deepStrictEqual(namesOf(client.readQuery({ query: apollo3.gql(PETS) }).pets), [
        "Minka",
        "Rex",
      ]);
    },
    async "@defer"(mock) {
      const results = overHttp3(mock).watchQuery({ query: apollo3.gql(DEFERRED) });
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const subscription = results.subscribe({
        next: ({ data }) => data.people?.[0]?.name !== undefined && resolve(data.people),
        error: reject,
      });
      deepStrictEqual(namesOf(await promise)[0], NAMES[0]);
      subscription.unsubscribe();
    },
    async abort(mock) {
      const client = overHttp3(mock);
      await checkAbort(
        mock,
        (signal) =>
          client.query({ query: apollo3.gql(PEOPLE), context: { fetchOptions: { signal } } }),
      );
    },
  },
};
