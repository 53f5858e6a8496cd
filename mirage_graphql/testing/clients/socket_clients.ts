import { ApolloClient, gql, InMemoryCache } from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { Client, createRequest, subscriptionExchange } from "@urql/core";
import { createClient } from "graphql-ws";
import { SubscriptionClient } from "subscriptions-transport-ws";
import type { ClientResult, CreateClient } from "./client.ts";
import { createRelayClient } from "./relay_client.ts";

/** Real clients over WebSocket, by name. */
export const SOCKET_CLIENTS: Readonly<Record<string, CreateClient>> = {
  "graphql-ws": (url) => {
    const client = createClient({ url, retryAttempts: 0 });
    return {
      send: (query, variables) =>
        new Promise((resolve, reject) => {
          let last: ClientResult = {};
          client.subscribe<unknown>({ query, variables }, {
            next: (result) => last = result,
            error: (error) => Array.isArray(error) ? resolve({ errors: error }) : reject(error),
            complete: () => resolve(last),
          });
        }),
      subscribe: (query, onResult) =>
        client.subscribe<unknown>({ query }, { next: onResult, error() {}, complete() {} }),
      [Symbol.asyncDispose]: async () => await client.dispose(),
    };
  },

  "subscriptions-transport-ws": (url) => {
    const client = new SubscriptionClient(url, { reconnect: false }, WebSocket);
    return {
      send: (query, variables) =>
        new Promise((resolve, reject) => {
          client.request({ query, variables }).subscribe({ next: resolve, error: reject });
        }),
      subscribe: (query, onResult) =>
        client.request({ query }).subscribe({ next: onResult }).unsubscribe,
      [Symbol.asyncDispose]: () => Promise.resolve(client.close()),
    };
  },

  "@apollo/client": (url) => {
    const socket = createClient({ url, retryAttempts: 0 });
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new GraphQLWsLink(socket),
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
      async [Symbol.asyncDispose]() {
        client.stop();
        await socket.dispose();
      },
    };
  },

  "@urql/core": (url) => {
    // urql's later operations are lost in the moment in which a lazy socket closes
    const socket = createClient({ url, retryAttempts: 0, lazy: false });
    const client = new Client({
      url: "http://localhost/none",
      preferGetMethod: false,
      exchanges: [subscriptionExchange({
        enableAllOperations: true,
        forwardSubscription: ({ query = "", variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ query, variables: { ...variables } }, {
              ...sink,
              next: ({ data, errors }) => sink.next({ data, errors }),
            }),
          }),
        }),
      })],
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
      [Symbol.asyncDispose]: async () => await socket.dispose(),
    };
  },

  "relay-runtime": (url) => {
    const socket = createClient({ url, retryAttempts: 0 });
    return createRelayClient({
      subscribe: (query, variables, sink) =>
        socket.subscribe<Record<string, unknown>>({ query, variables }, sink),
      dispose: async () => await socket.dispose(),
    });
  },
};
