import {
  ApolloClient,
  type ApolloLink,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
} from "@apollo/client";
import { Defer20220824Handler } from "@apollo/client/incremental";
import { BatchHttpLink } from "@apollo/client/link/batch-http";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { relayStylePagination } from "@apollo/client/utilities";
// @ts-types="./upload_http_link.d.ts"
import UploadHttpLink from "apollo-upload-client/UploadHttpLink.mjs";
import * as apollo3 from "apollo-client-3/core/index.js";
import { BatchHttpLink as BatchHttpLink3 } from "apollo-client-3/link/batch-http/index.js";
import { createPersistedQueryLink } from "apollo-client-3/link/persisted-queries/index.js";
import { relayStylePagination as pagination3 } from "apollo-client-3/utilities/index.js";
import {
  abortRequest,
  createPhoto,
  documentsOf,
  failNetwork,
  firstOf,
  type HttpClient,
  namesOf,
  namesOfEdges,
  pathsOf,
  sizesOf,
} from "./http_clients.ts";
import {
  CREATE,
  DEFERRED,
  type HttpMock,
  PAGE,
  PEOPLE,
  PERSON,
  PETS,
  UPLOAD,
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

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Apollo Client 4. */
export const APOLLO_4: HttpClient = {
  name: "@apollo/client 4",
  streams: { "WebSocket": "@apollo/client", "multipart stream": "@apollo/client" },
  features: {
    async query(mock) {
      const { data } = await overHttp(mock).query<Data>({ query: gql(PEOPLE) });
      return namesOf(data?.people);
    },
    async variables(mock) {
      const { data } = await overHttp(mock).query<Data>({
        query: gql(PERSON),
        variables: { id: "2" },
      });
      return namesOf([data?.person]);
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
      return mock.bodies.length === 2 ? namesOf(data?.people) : mock.bodies;
    },
    async "errors with path"(mock) {
      const query = gql("query Bad { bad }");
      const { error } = await overHttp(mock).query({ query, errorPolicy: "all" });
      return CombinedGraphQLErrors.is(error) ? pathsOf(error.errors) : error;
    },
    async "network failure"(mock) {
      const client = overHttp(mock);
      return await failNetwork(
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
      return namesOfEdges(read().peoplePage.edges);
    },
    async unions(mock) {
      const client = overHttp(mock);
      await client.query({ query: gql(PETS) });
      const fragment = gql("fragment Lives on Cat { lives }");
      const cat = client.cache.readFragment<Data>({ id: "Cat:1", fragment });
      const data = client.readQuery<Data>({ query: gql(PETS) });
      return Number(cat?.lives) === 9 ? namesOf(data?.pets) : cat;
    },
    async batch(mock) {
      const { fetch } = mock;
      const client = createApollo(new BatchHttpLink({ uri: URL_OF_MOCK, fetch, batchInterval: 1 }));
      await Promise.all([client.query({ query: gql(PEOPLE) }), client.query({ query: gql(PETS) })]);
      return sizesOf(mock);
    },
    async "persisted queries"(mock) {
      const { fetch } = mock;
      const persisted = new PersistedQueryLink({ sha256 });
      const client = createApollo(persisted.concat(new HttpLink({ uri: URL_OF_MOCK, fetch })));
      for (const _ of [1, 2]) {
        await client.query({ query: gql(PEOPLE), fetchPolicy: "network-only" });
      }
      return documentsOf(mock);
    },
    async upload({ fetch }) {
      const client = createApollo(new UploadHttpLink({ uri: URL_OF_MOCK, fetch }));
      const { data } = await client.mutate<Record<string, { photo: string }>>({
        mutation: gql(UPLOAD),
        variables: { input: { name: "Ole", photo: createPhoto() } },
      });
      return data?.createPerson?.photo;
    },
    async "@defer"(mock) {
      const query = overHttp(mock).watchQuery<Data>({ query: gql(DEFERRED) });
      const people = await firstOf((resolve, reject) =>
        query.subscribe({
          next: ({ data, dataState }) => dataState === "complete" && resolve(data.people),
          error: reject,
        })
      );
      return namesOf(people);
    },
    async abort(mock) {
      const client = overHttp(mock);
      return await abortRequest(
        mock,
        (signal) => client.query({ query: gql(PEOPLE), context: { fetchOptions: { signal } } }),
      );
    },
  },
};

function createApollo3(link: apollo3.ApolloLink) {
  const { ApolloClient, InMemoryCache } = apollo3;
  return new ApolloClient({
    link,
    cache: new InMemoryCache({
      possibleTypes: CACHE.possibleTypes,
      typePolicies: { Query: { fields: { peoplePage: pagination3() } } },
    }),
  });
}

const httpLink3 = ({ fetch }: HttpMock) => new apollo3.HttpLink({ uri: URL_OF_MOCK, fetch });
const overHttp3 = (mock: HttpMock) => createApollo3(httpLink3(mock));

/** Apollo Client 3. */
export const APOLLO_3: HttpClient = {
  name: "@apollo/client 3",
  features: {
    async query(mock) {
      const { data } = await overHttp3(mock).query({ query: apollo3.gql(PEOPLE) });
      return namesOf(data.people);
    },
    async variables(mock) {
      const variables = { id: "2" };
      const { data } = await overHttp3(mock).query({ query: apollo3.gql(PERSON), variables });
      return namesOf([data.person]);
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
      return namesOf(data.people);
    },
    async "errors with path"(mock) {
      const query = apollo3.gql("query Bad { bad }");
      const { errors = [] } = await overHttp3(mock).query({ query, errorPolicy: "all" });
      return pathsOf(errors);
    },
    async "network failure"(mock) {
      const client = overHttp3(mock);
      return await failNetwork(
        mock,
        () => client.query({ query: apollo3.gql(PEOPLE), fetchPolicy: "network-only" }),
      );
    },
    async unions(mock) {
      const client = overHttp3(mock);
      await client.query({ query: apollo3.gql(PETS) });
      return namesOf(client.readQuery({ query: apollo3.gql(PETS) }).pets);
    },
    async pages(mock) {
      const client = overHttp3(mock);
      const query = apollo3.gql(PAGE);
      const { data } = await client.query({ query });
      const variables = { after: data.peoplePage.pageInfo.endCursor };
      await client.query({ query, variables, fetchPolicy: "network-only" });
      return namesOfEdges(client.readQuery({ query }).peoplePage.edges);
    },
    async batch(mock) {
      const { fetch } = mock;
      const link = new BatchHttpLink3({ uri: URL_OF_MOCK, fetch, batchInterval: 1 });
      const client = createApollo3(link);
      await Promise.all(
        [PEOPLE, PETS].map((query) => client.query({ query: apollo3.gql(query) })),
      );
      return sizesOf(mock);
    },
    async "persisted queries"(mock) {
      const client = createApollo3(createPersistedQueryLink({ sha256 }).concat(httpLink3(mock)));
      for (const _ of [1, 2]) {
        await client.query({ query: apollo3.gql(PEOPLE), fetchPolicy: "network-only" });
      }
      return documentsOf(mock);
    },
    async "@defer"(mock) {
      const query = overHttp3(mock).watchQuery({ query: apollo3.gql(DEFERRED) });
      const people = await firstOf((resolve, reject) =>
        query.subscribe({
          next: ({ data }) => {
            const people: { name?: string }[] = data.people ?? [];
            if (people.every(({ name }) => name !== undefined)) resolve(people);
          },
          error: reject,
        })
      );
      return namesOf(people);
    },
    async abort(mock) {
      const client = overHttp3(mock);
      return await abortRequest(
        mock,
        (signal) =>
          client.query({ query: apollo3.gql(PEOPLE), context: { fetchOptions: { signal } } }),
      );
    },
  },
};
