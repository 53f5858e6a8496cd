import { Client, type Exchange, fetchExchange } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { persistedExchange } from "@urql/exchange-persisted";
import { buildSchema, introspectionFromSchema } from "graphql";
import { ClientError, GraphQLClient } from "graphql-request";
import { createClient as createVillus, fetch as villusFetch } from "villus";
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
  SCHEMA,
  UPLOAD,
  URL_OF_MOCK,
} from "./http_mock.ts";

function createUrql({ fetch }: HttpMock, exchanges: readonly Exchange[] = []): Client {
  const cache = cacheExchange({
    schema: introspectionFromSchema(buildSchema(SCHEMA)),
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
  streams: { "WebSocket": "@urql/core", "server-sent events": "@urql/core" },
  features: {
    async query(mock) {
      const { data } = await createUrql(mock).query(PEOPLE, {});
      return namesOf(data.people);
    },
    async variables(mock) {
      const { data } = await createUrql(mock).query(PERSON, { id: "2" });
      return namesOf([data.person]);
    },
    async "mutation with cache update"(mock) {
      const client = createUrql(mock);
      await client.query(PEOPLE, {});
      await client.mutation(CREATE, { input: { name: "Barbara" } });
      const { data } = await client.query(PEOPLE, {}, { requestPolicy: "cache-only" });
      return mock.bodies.length === 2 ? namesOf(data.people) : mock.bodies;
    },
    async "errors with path"(mock) {
      const { error } = await createUrql(mock).query("query Bad { bad }", {});
      return pathsOf(error?.graphQLErrors);
    },
    async "network failure"(mock) {
      const client = createUrql(mock);
      return await failNetwork(
        mock,
        async () => thrown(await client.query(PEOPLE, {}, { requestPolicy: "network-only" })),
      );
    },
    async pages(mock) {
      const client = createUrql(mock);
      const { data } = await client.query(PAGE, {});
      const { endCursor } = data.peoplePage.pageInfo;
      const { data: whole } = await client.query(PAGE, { after: endCursor });
      return namesOfEdges(whole.peoplePage.edges);
    },
    async unions(mock) {
      const { data } = await createUrql(mock).query(PETS, {});
      return namesOf(data.pets);
    },
    async "persisted queries"(mock) {
      const persisted = persistedExchange({ preferGetForPersistedQueries: false });
      const client = createUrql(mock, [persisted]);
      for (const _ of [1, 2]) {
        await client.query(PEOPLE, {}, { requestPolicy: "network-only" });
      }
      return documentsOf(mock);
    },
    async upload(mock) {
      const input = { name: "Ole", photo: createPhoto() };
      const { data } = await createUrql(mock).mutation(UPLOAD, { input });
      return data.createPerson.photo;
    },
    async "@defer"(mock) {
      const people = await firstOf((resolve) =>
        createUrql(mock).query(DEFERRED, {})
          .subscribe(({ data, hasNext }) => hasNext ? undefined : resolve(data.people))
      );
      return namesOf(people);
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
      return namesOf((await createRequester(mock).request<Data>(PEOPLE)).people);
    },
    async variables(mock) {
      const { person } = await createRequester(mock).request<Data>(PERSON, { id: "2" });
      return namesOf([person]);
    },
    async "errors with path"(mock) {
      const error: unknown = await createRequester(mock).request("query Bad { bad }")
        .catch((error) => error);
      return error instanceof ClientError ? pathsOf(error.response.errors) : error;
    },
    async "network failure"(mock) {
      const client = createRequester(mock);
      return await failNetwork(mock, () => client.request(PEOPLE));
    },
    async unions(mock) {
      const { pets } = await createRequester(mock).request<Data>(PETS);
      return namesOf(pets);
    },
    async batch(mock) {
      const documents = [{ document: PEOPLE }, { document: PETS }];
      await createRequester(mock).batchRequests(documents);
      return sizesOf(mock);
    },
    async abort(mock) {
      const client = createRequester(mock);
      return await abortRequest(mock, (signal) => client.request({ document: PEOPLE, signal }));
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
      return namesOf(data?.people);
    },
    async variables(mock) {
      const variables = { id: "2" };
      const { data } = await createVillusClient(mock).executeQuery<Data>({
        query: PERSON,
        variables,
      });
      return namesOf([data?.person]);
    },
    async "network failure"(mock) {
      const client = createVillusClient(mock);
      return await failNetwork(
        mock,
        () =>
          client.executeQuery<Data>({ query: PEOPLE }).then(({ error }) =>
            thrown({ error: error ?? undefined })
          ),
      );
    },
    async unions(mock) {
      const { data } = await createVillusClient(mock).executeQuery<Data>({ query: PETS });
      return namesOf(data?.pets);
    },
  },
};
