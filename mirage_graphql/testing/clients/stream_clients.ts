import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Client, createRequest, fetchExchange } from "@urql/core";
import { createClient } from "graphql-sse";
import type { ClientResult, CreateClient } from "./client.ts";
import { createRelayClient } from "./relay_client.ts";

/** The clients of the field whose subscriptions are streamed to `fetch`, by name. */
export const STREAM_CLIENTS: Readonly<Record<string, CreateClient>> = {
  "graphql-sse": (url) => createSseClient(url, false),
  "graphql-sse over a single connection": (url) => createSseClient(url, true),

  "@apollo/client": (url) => {
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri: url }),
    });
    return {
      send: async (query, variables) => {
        const document = gql(query);
        const { data, error } = query.startsWith("mutation")
          ? await client.mutate({ mutation: document, variables, errorPolicy: "all" })
          : await client.query({ query: document, variables, errorPolicy: "all" });
        return { data, ...(error ? { errors: [error] } : {}) };
      },
      subscribe: (query, onResult) => {
        const results = client.subscribe({ query: gql(query) });
        const subscription = results.subscribe(({ data }) => onResult({ data }));
        return () => subscription.unsubscribe();
      },
      [Symbol.asyncDispose]: () => Promise.resolve(client.stop()),
    };
  },

  "@urql/core": (url) => {
    const client = new Client({
      url,
      preferGetMethod: false,
      fetchSubscriptions: true,
      exchanges: [fetchExchange],
    });
    return {
      send: async (query, variables = {}) => {
        const sent = query.startsWith("mutation")
          ? client.mutation(query, variables)
          : client.query(query, variables);
        const { data, error } = await sent.toPromise();
        return { data, ...(error ? { errors: error.graphQLErrors } : {}) };
      },
      subscribe: (query, onResult) =>
        client.executeSubscription(createRequest(query, {}))
          .subscribe(({ data }) => onResult({ data })).unsubscribe,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },

  "relay-runtime": (url) => {
    const client = createClient({ url, retryAttempts: 0 });
    return createRelayClient({
      subscribe: (query, variables, sink) =>
        client.subscribe<Record<string, unknown>>({ query, variables }, sink),
      dispose: () => Promise.resolve(client.dispose()),
    });
  },
};

function createSseClient(url: string, singleConnection: boolean): ReturnType<CreateClient> {
  const options = { url, retryAttempts: 0, lazy: false, onNonLazyError() {} };
  const client = singleConnection
    ? createClient({ ...options, singleConnection: true })
    : createClient({ url, retryAttempts: 0 });
  return {
    send: (query, variables) =>
      new Promise((resolve, reject) => {
        let last: ClientResult = {};
        client.subscribe<unknown>({ query, variables }, {
          next: (result) => last = result as ClientResult,
          error: reject,
          complete: () => resolve(last),
        });
      }),
    subscribe: (query, onResult) =>
      client.subscribe<unknown>({ query }, {
        next: (result) => onResult(result as ClientResult),
        error() {},
        complete() {},
      }),
    [Symbol.asyncDispose]: () => Promise.resolve(client.dispose()),
  };
}
