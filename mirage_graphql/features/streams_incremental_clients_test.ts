import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Defer20220824Handler, GraphQL17Alpha9Handler } from "@apollo/client/incremental";
import { Client, fetchExchange, type OperationResult } from "@urql/core";
import { deepStrictEqual, ok } from "node:assert/strict";
import { createServer } from "miragejs";
import { createFetchHandler } from "../mock/fetch_handler.ts";

const SCHEMA = "type Post { id: ID! title: String! text: String! } type Query { posts: [Post!]! }";
const POSTS = "query Posts { posts { id title ... @defer { text } } }";
const WHOLE = [{ id: "1", title: "One", text: "first" }, { id: "2", title: "Two", text: "second" }];

/** A `fetch` that a mock answers, and that records the types of its responses. */
function createFetch() {
  const { schema, db } = createServer({ environment: "test" });
  const handler = createFetchHandler(SCHEMA, schema, { deferLatency: 10 });
  db.loadData({ posts: WHOLE });
  const types: (string | null)[] = [];
  const answer = async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await handler(new Request(input, init));
    types.push(response.headers.get("content-type"));
    return response;
  };
  return { types, fetch: answer };
}

/** What a client sees of the posts: whether all texts have arrived, for each result. */
function isWhole(data: unknown): boolean {
  return JSON.stringify(data).includes("second");
}

/** Apollo Client's handlers of incremental delivery, by the format that they read. */
const HANDLERS = {
  "deferSpec=20220824": () => new Defer20220824Handler(),
  "incrementalSpec=v0.2": () => new GraphQL17Alpha9Handler(),
};

Deno.test("Apollo Client reads deferred fragments as they arrive, in either format", async () => {
  for (const [spec, createHandler] of Object.entries(HANDLERS)) {
    const { fetch, types } = createFetch();
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri: "http://localhost/graphql", fetch }),
      incrementalHandler: createHandler(),
    });
    const seen: boolean[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const subscription = client.watchQuery({ query: gql(POSTS), errorPolicy: "none" }).subscribe({
      next({ data, dataState }) {
        if (data === undefined) return;
        seen.push(isWhole(data));
        if (dataState === "complete") resolve(data);
      },
      error: reject,
    });
    const data = JSON.parse(
      JSON.stringify(await promise),
      (key, value) => key === "__typename" ? undefined : value,
    );
    subscription.unsubscribe();
    client.stop();
    deepStrictEqual(data, { posts: WHOLE });
    ok(seen.length > 1 && seen[0] === false, String(seen));
    ok(types[0]?.endsWith(`; ${spec}`), String(types));
  }
});

Deno.test("urql reads deferred fragments as they arrive, or all at once", async () => {
  const { fetch, types } = createFetch();
  const client = new Client({
    url: "http://localhost/graphql",
    exchanges: [fetchExchange],
    preferGetMethod: false,
    fetch,
  });
  const results: OperationResult[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { unsubscribe } = client.query(POSTS, {}).subscribe((result) => {
    results.push(result);
    if (!result.hasNext) resolve();
  });
  await promise;
  unsubscribe();
  deepStrictEqual(JSON.parse(JSON.stringify(results.at(-1)?.data)), { posts: WHOLE });
  ok(
    results.length > 1 && !isWhole(results[0]?.data),
    JSON.stringify(results.map(({ data }) => data)),
  );
  ok(types[0]?.startsWith("multipart/mixed"), String(types));
});
