import { MutationObserver, QueryClient } from "@tanstack/vue-query";
import { ClientError, GraphQLClient } from "graphql-request";
import {
  abortRequest,
  failNetwork,
  type HttpClient,
  namesOf,
  namesOfEdges,
  pathsOf,
} from "./http_clients.ts";
import { CREATE, type HttpMock, PAGE, PEOPLE, PERSON, PETS, URL_OF_MOCK } from "./http_mock.ts";

interface Data {
  readonly people?: readonly unknown[];
  readonly person?: unknown;
  readonly pets?: unknown;
  readonly createPerson?: unknown;
}

interface PageData {
  readonly peoplePage: {
    readonly edges: readonly { readonly node: unknown }[];
    readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
  };
}

function createTanStack({ fetch }: HttpMock) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const requester = new GraphQLClient(URL_OF_MOCK, { fetch });
  return {
    client,
    ask: (document: string, variables: Record<string, unknown> = {}) =>
      client.fetchQuery({
        queryKey: [document, variables],
        queryFn: ({ signal }) => requester.request<Data>({ document, variables, signal }),
      }),
    askPages: (document: string, pages: number) =>
      client.fetchInfiniteQuery({
        queryKey: [document],
        queryFn: ({ pageParam }) =>
          requester.request<PageData>(document, { after: pageParam || null }),
        initialPageParam: "",
        getNextPageParam: ({ peoplePage: { pageInfo } }: PageData) =>
          pageInfo.hasNextPage ? pageInfo.endCursor : undefined,
        pages,
      }),
    createMutation: (onSuccess: (data: Data) => void) =>
      new MutationObserver(client, {
        mutationFn: (input: object) => requester.request<Data>(CREATE, { input }),
        onSuccess,
      }),
  };
}

/** TanStack Query for Vue, whose query functions use graphql-request. */
export const TANSTACK: HttpClient = {
  name: "@tanstack/vue-query",
  features: {
    async query(mock) {
      return namesOf((await createTanStack(mock).ask(PEOPLE)).people);
    },
    async variables(mock) {
      return namesOf([(await createTanStack(mock).ask(PERSON, { id: "2" })).person]);
    },
    async "mutation with cache update"(mock) {
      const { client, ask, createMutation } = createTanStack(mock);
      await ask(PEOPLE);
      const key = [PEOPLE, {}];
      const mutation = createMutation(({ createPerson }) =>
        client.setQueryData<Data>(key, ({ people = [] } = {}) => ({
          people: [...people, createPerson],
        }))
      );
      await mutation.mutate({ name: "Barbara" });
      const data = client.getQueryData<Data>(key);
      return mock.bodies.length === 2 ? namesOf(data?.people) : mock.bodies;
    },
    async "errors with path"(mock) {
      const error = await createTanStack(mock).ask("query Bad { bad }").catch((error) => error);
      return error instanceof ClientError ? pathsOf(error.response.errors) : error;
    },
    async "network failure"(mock) {
      const { ask } = createTanStack(mock);
      return await failNetwork(mock, () => ask(PEOPLE));
    },
    async pages(mock) {
      const { pages } = await createTanStack(mock).askPages(PAGE, 2);
      return namesOfEdges(pages.flatMap(({ peoplePage }) => peoplePage.edges));
    },
    async unions(mock) {
      return namesOf((await createTanStack(mock).ask(PETS)).pets);
    },
    async abort(mock) {
      const { client, ask } = createTanStack(mock);
      return await abortRequest(mock, (signal) => {
        signal.addEventListener("abort", () => client.cancelQueries());
        return ask(PEOPLE);
      });
    },
  },
};
