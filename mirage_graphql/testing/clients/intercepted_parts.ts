import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { Defer20220824Handler, GraphQL17Alpha9Handler } from "@apollo/client/incremental";
import { Client, fetchExchange } from "@urql/core";
import { createServer } from "miragejs";
import { createFetchInterceptor, createGraphQLHandler } from "../../mod.ts";
import { fetchDeferred } from "./relay_deferred.ts";

const SCHEMA = "type Post { id: ID! title: String! text: String! } type Query { posts: [Post!]! }";
const POSTS = "query Posts { posts { id title ... @defer { text } } }";
const TEXTS = ["first", "second"];

/** Fetches the posts with a deferred text, and passes on what a component would see of them. */
type ReadPosts = (url: string, onPosts: (posts: unknown) => void) => Promise<void>;

type IncrementalHandler = ConstructorParameters<typeof ApolloClient>[0]["incrementalHandler"];

function withApollo(createHandler: () => IncrementalHandler): ReadPosts {
  return async (uri, onPosts) => {
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri }),
      incrementalHandler: createHandler(),
    });
    await new Promise<void>((resolve, reject) =>
      client.watchQuery<{ posts: unknown }>({ query: gql(POSTS) }).subscribe({
        next({ data, dataState }) {
          if (data !== undefined) onPosts(data.posts);
          if (dataState === "complete") resolve();
        },
        error: reject,
      })
    );
    client.stop();
  };
}

/** Clients that read parts, by name. */
const CLIENTS: Readonly<Record<string, ReadPosts>> = {
  "@apollo/client 4, Defer20220824Handler": withApollo(() => new Defer20220824Handler()),
  "@apollo/client 4, GraphQL17Alpha9Handler": withApollo(() => new GraphQL17Alpha9Handler()),
  async "@urql/core"(url, onPosts) {
    const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false });
    await new Promise<void>((resolve) =>
      client.query(POSTS, {}).subscribe(({ data, hasNext }) => {
        onPosts(data?.posts);
        if (hasNext !== true) resolve();
      })
    );
  },
  "relay-runtime": fetchDeferred,
};

/** What every client sees: the posts without texts, then with them. */
export const EXPECTED_PARTS: unknown = Object.fromEntries(
  Object.keys(CLIENTS).map((name) => [name, { first: [null, null], last: TEXTS }]),
);

/**
 * Runs every client against a route of Mirage whose deferred fields are resolved only when the
 * client has shown the others.
 */
export async function exerciseParts(): Promise<Record<string, unknown>> {
  const url = new URL("/graphql", globalThis.location?.href ?? "http://localhost").href;
  const seen: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(CLIENTS)) {
    let open = () => {};
    const opened = new Promise<void>((resolve) => open = resolve);
    const server = createServer({
      ...createFetchInterceptor(),
      environment: "test",
      routes() {
        const text = async (post: { id: string }) => {
          await opened;
          return TEXTS[Number(post.id) - 1];
        };
        this.post(
          "/graphql",
          createGraphQLHandler(SCHEMA, this.schema, { resolvers: { Post: { text } } }),
        );
      },
    });
    server.db.loadData({ posts: [{ title: "One" }, { title: "Two" }] });
    const shown: unknown[] = [];
    await read(url, (posts) => {
      shown.push(textsOf(posts));
      open();
    });
    seen[name] = { first: shown[0], last: shown.at(-1) };
    server.shutdown();
  }
  return seen;
}

function textsOf(posts: unknown): unknown {
  return Array.isArray(posts) ? posts.map((post) => post?.text ?? null) : posts;
}
