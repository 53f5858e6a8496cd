import { Client, type Exchange, fetchExchange } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { persistedExchange } from "@urql/exchange-persisted";
import { ClientError, GraphQLClient } from "graphql-request";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createClient as createVillus, fetch as villusFetch } from "villus";
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
  UPLOAD,
  URL_OF_MOCK,
} from "./http_mock.ts";

function createUrql({ fetch }: HttpMock, exchanges: readonly Exchange[] = []): Client {
  const cache = cacheExchange({
    keys: { PageInfo: () => null, PersonConnection: () => null, PersonEdge: () => null },
    resolvers: { Query: { peoplePage: relayPagination() } },
    updates: {
      Mutation: {
        createPerson(result, _args, cache) {
          cache.updateQuery({ query: PEOPLE }, (data) => {
            const people = Array.isArray(data?.people) ? data.people : [];
            return { ...data, __typename: "Query", people: [...people, result.createPerson] };
          });
        },
      },
    },
  });
  return new Client({
    url: URL_OF_MOCK,
    exchanges: [cache, ...exchanges, fetchExchange],
    preferGetMethod: false,
    fetch,
  });
}

/** urql, with graphcache. */
export const URQL: HttpClient = {
  name: "urql with graphcache",
  features: {
    async query(mock) {
      const { data } = await createUrql(mock).query(PEOPLE, {});
      deepStrictEqual(namesOf(data.people), NAMES);
    },
    async variables(mock) {
      const { data } = await createUrql(mock).query(PERSON, { id: "2" });
      deepStrictEqual(namesOf([data.person]), ["Grace"]);
    },
    async "mutation with cache update"(mock) {
      const client = createUrql(mock);
      await client.query(PEOPLE, {});
      await client.mutation(CREATE, { input: { name: "Barbara" } });
      const { data } = await client.query(PEOPLE, {}, { requestPolicy: "cache-only" });
      deepStrictEqual(namesOf(data.people), [...NAMES, "Barbara"]);
      strictEqual(mock.bodies.length, 2);
    },
    async "errors with path"(mock) {
      const { error } = await createUrql(mock).query("query Bad { bad }", {});
      const [first] = error?.graphQLErrors ?? [];
      deepStrictEqual([first?.message, first?.path], ["Cannot be good", ["bad"]]);
    },
    async "network failure"(mock) {
      const client = createUrql(mock);
      await checkNetworkFailure(
        mock,
        async () => thrown(await client.query(PEOPLE, {}, { requestPolicy: "network-only" })),
      );
    },
    async pages(mock) {
      const client = createUrql(mock);
      const { data } = await client.query(PAGE, {});
      const { endCursor } = data.peoplePage.pageInfo;
      const { data: whole } = await client.query(PAGE, { after: endCursor });
      deepStrictEqual(
        namesOf(whole.peoplePage.edges.map(({ node }: { node: unknown }) => node)),
        NAMES,
      );
    },
    async unions(mock) {
      const { data } = await createUrql(mock).query(PETS, {});
      deepStrictEqual(namesOf(data.pets), ["Minka", "Rex"]);
    },
    async "persisted queries"(mock) {
      const persisted = persistedExchange({ preferGetForPersistedQueries: false });
      const client = createUrql(mock, [persisted]);
      for (const _ of [1, 2]) {
        const { data } = await client.query(PEOPLE, {}, { requestPolicy: "network-only" });
        deepStrictEqual(namesOf(data.people), NAMES);
      }
      checkHashes(mock);
    },
    async upload(mock) {
      const photo = new File(["light"], "light.txt", { type: "text/plain" });
      const { data } = await createUrql(mock).mutation(UPLOAD, { input: { name: "Ole", photo } });
      strictEqual(data.createPerson.photo, `data:text/plain;base64,${btoa("light")}`);
    },
    async "@defer"(mock) {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const { unsubscribe } = createUrql(mock).query(DEFERRED, {})
        .subscribe(({ data, hasNext }) => hasNext ? undefined : resolve(data.people));
      deepStrictEqual(namesOf(await promise), NAMES);
      unsubscribe();
    },
  },
};

/** urql returns its errors. */
function thrown<Result extends { readonly error?: Error | undefined }>(result: Result): Result {
  if (result.error !== undefined) throw result.error;
  return result;
}

interface Data {
  readonly people?: unknown;
  readonly person?: unknown;
  readonly pets?: unknown;
  readonly createPerson?: unknown;
}

const createRequester = ({ fetch }: HttpMock) => new GraphQLClient(URL_OF_MOCK, { fetch });

/** graphql-request, which has no cache. */
export const GRAPHQL_REQUEST: HttpClient = {
  name: "graphql-request",
  features: {
    async query(mock) {
      deepStrictEqual(namesOf((await createRequester(mock).request<Data>(PEOPLE)).people), NAMES);
    },
    async variables(mock) {
      const { person } = await createRequester(mock).request<Data>(PERSON, { id: "2" });
      deepStrictEqual(namesOf([person]), ["Grace"]);
    },
    async "errors with path"(mock) {
      const error: unknown = await createRequester(mock).request("query Bad { bad }")
        .catch((error) => error);
      ok(error instanceof ClientError, String(error));
      deepStrictEqual(error.response.errors?.map(({ message, path }) => [message, path]), [
        ["Cannot be good", ["bad"]],
      ]);
    },
    async "network failure"(mock) {
      const client = createRequester(mock);
      await checkNetworkFailure(mock, () => client.request(PEOPLE));
    },
    async unions(mock) {
      const { pets } = await createRequester(mock).request<Data>(PETS);
      deepStrictEqual(namesOf(pets), ["Minka", "Rex"]);
    },
    async batch(mock) {
      const documents = [{ document: PEOPLE }, { document: PETS }];
      await createRequester(mock).batchRequests(documents);
      deepStrictEqual(mock.bodies.map((body) => JSON.parse(body).length), [2]);
    },
    async abort(mock) {
      const client = createRequester(mock);
      await checkAbort(mock, (signal) => client.request({ document: PEOPLE, signal }));
    },
  },
};

const createVillusClient = ({ fetch }: HttpMock) =>
  createVillus({ url: URL_OF_MOCK, use: [villusFetch({ fetch })], cachePolicy: "network-only" });

/** villus, for Vue. */
export const VILLUS: HttpClient = {
  name: "villus",
  features: {
    async query(mock) {
      const { data } = await createVillusClient(mock).executeQuery<Data>({ query: PEOPLE });
      deepStrictEqual(namesOf(data?.people), NAMES);
    },
    async variables(mock) {
      const variables = { id: "2" };
      const { data } = await createVillusClient(mock).executeQuery<Data>({
        query: PERSON,
        variables,
      });
      deepStrictEqual(namesOf([data?.person]), ["Grace"]);
    },
    async "network failure"(mock) {
      const client = createVillusClient(mock);
      await checkNetworkFailure(
        mock,
        () =>
          client.executeQuery<Data>({ query: PEOPLE }).then(({ error }) =>
            thrown({ error: error ?? undefined })
          ),
      );
    },
    async unions(mock) {
      const { data } = await createVillusClient(mock).executeQuery<Data>({ query: PETS });
      deepStrictEqual(namesOf(data?.pets), ["Minka", "Rex"]);
    },
  },
};
