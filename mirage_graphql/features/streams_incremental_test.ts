import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createServer } from "miragejs";
import { createFetchHandler, type MockFetchHandlerOptions } from "../mock/fetch_handler.ts";

const SCHEMA = `
  interface Node { id: ID! }
  type Post implements Node { id: ID! title: String! secret: String comments: [Comment!]! }
  type Comment implements Node { id: ID! text: String! post: Post! }
  type Query { posts: [Post!]!, node(id: ID!): Node }
  type Mutation { createPost(input: PostInput!): Post! }
  input PostInput { title: String! }
`;
const PARTS =
  "multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json";

const resolvers = {
  Post: {
    secret() {
      throw new Error("no right");
    },
  },
};

function serve(options: MockFetchHandlerOptions = {}) {
  const { schema, db } = createServer({ environment: "test" });
  const handler = createFetchHandler(SCHEMA, schema, { resolvers, ...options });
  db.loadData({
    posts: [
      { id: "1", title: "One", commentIds: ["1", "2"] },
      { id: "2", title: "Two", commentIds: [] },
    ],
    comments: [{ id: "1", text: "first", postId: "1" }, { id: "2", text: "second", postId: "1" }],
  });
  const ask = (query: string, accept: string, variables: object = {}) =>
    handler(
      new Request("http://localhost/graphql", {
        method: "POST",
        headers: { "Content-Type": "application/json", accept },
        body: JSON.stringify({ query, variables }),
      }),
    );
  const parts = async (query: string, variables: object = {}) => {
    const response = await ask(query, PARTS, variables);
    strictEqual(
      response.headers.get("content-type"),
      'multipart/mixed; boundary="-"; deferSpec=20220824',
    );
    return readParts(await response.text());
  };
  return { handler, ask, parts };
}

/** Reads the parts of a body, and checks its format strictly. */
function readParts(text: string): unknown[] {
  ok(text.startsWith("\r\n---\r\n"), text);
  ok(text.endsWith("\r\n-----\r\n"), text);
  const bodies = text.slice(7, -9).split("\r\n---\r\n");
  return bodies.map((part) => {
    const [head, body = "", ...more] = part.split("\r\n\r\n");
    deepStrictEqual([head, more], ["Content-Type: application/json; charset=utf-8", []]);
    return JSON.parse(body);
  });
}

const POSTS = `query Posts($later: Boolean = true) {
  posts { id ...Rest @defer(label: "rest", if: $later) }
}
fragment Rest on Post { title comments { text } }`;

Deno.test("a deferred fragment is sent in its own part, with its path", async () => {
  const { parts } = serve();
  const rest = (index: number, data: object) => ({
    incremental: [{ data, path: ["posts", index], label: "rest" }],
    hasNext: true,
  });
  deepStrictEqual(await parts(POSTS), [
    { data: { posts: [{ id: "1" }, { id: "2" }] }, hasNext: true },
    rest(0, { title: "One", comments: [{ text: "first" }, { text: "second" }] }),
    rest(1, { title: "Two", comments: [] }),
    { hasNext: false },
  ]);
});

Deno.test("a field of a part may have the alias __proto__", async () => {
  const { ask } = serve();
  const query = `{ posts { id ... @defer { __proto__: title } } }`;
  const text = await (await ask(query, PARTS)).text();
  ok(text.includes('{"data":{"__proto__":"One"},"path":["posts",0]}'), text);
});

Deno.test("a document with @defer gets a complete response as JSON, or if the directive is off", async () => {
  const { ask, parts } = serve();
  const posts = [
    { id: "1", title: "One", comments: [{ text: "first" }, { text: "second" }] },
    { id: "2", title: "Two", comments: [] },
  ];
  for (const accept of ["application/json", "*/*", "application/json, multipart/mixed;q=0"]) {
    deepStrictEqual(await (await ask(POSTS, accept)).json(), { data: { posts } });
  }
  deepStrictEqual(await parts(POSTS, { later: false }), [
    { data: { posts }, hasNext: true },
    { hasNext: false },
  ]);
});

Deno.test("deferred fragments may be nested, and are for the types that they name", async () => {
  const { parts } = serve();
  const query = `{
    node(id: "1") {
      __typename
      ... on Post @defer { title comments { id ... @defer(label: "text") { text } } }
      ... on Comment @defer { text }
    }
  }`;
  const [first, ...later] = await parts(query) as { incremental?: { path: unknown }[] }[];
  deepStrictEqual(first, { data: { node: { __typename: "Post" } }, hasNext: true });
  deepStrictEqual(later.map(({ incremental }) => incremental?.[0]?.path), [
    ["node"],
    ["node", "comments", 0],
    ["node", "comments", 1],
    undefined,
  ]);
});

Deno.test("a streamed list begins with its first elements", async () => {
  const { parts } = serve();
  const query = '{ posts @stream(initialCount: 1, label: "post") { title ... @defer { id } } }';
  deepStrictEqual(await parts(query), [
    { data: { posts: [{ title: "One" }] }, hasNext: true },
    { incremental: [{ data: { id: "1" }, path: ["posts", 0] }], hasNext: true },
    {
      incremental: [{ items: [{ title: "Two" }], path: ["posts", 1], label: "post" }],
      hasNext: true,
    },
    { incremental: [{ data: { id: "2" }, path: ["posts", 1] }], hasNext: true },
    { hasNext: false },
  ]);
});

Deno.test("errors are in the part that has their field, and data is written only once", async () => {
  const { parts, handler } = serve();
  const query = `mutation {
    createPost(input: { title: "Three" }) { id ... @defer { secret title } }
  }`;
  const [first, later] = await parts(query) as [
    object,
    { incremental: { data: object; errors: { message: string; path: unknown }[] }[] },
  ];
  deepStrictEqual(first, { data: { createPost: { id: "3" } }, hasNext: true });
  const [part] = later.incremental;
  deepStrictEqual(part?.data, { secret: null, title: "Three" });
  deepStrictEqual(part?.errors.map(({ message, path }) => [message, path]), [
    ["no right", ["createPost", "secret"]],
  ]);
  strictEqual((await handler.query("{ posts { id } }")).posts?.toString().split(",").length, 3);
  strictEqual(handler.operations.length, 2);
});

Deno.test("deferLatency separates the parts in time, and an abort ends them", async () => {
  const { ask } = serve({ deferLatency: 60_000 });
  const response = await ask(POSTS, PARTS);
  const reader = response.body?.getReader();
  const { value } = await reader?.read() ?? {};
  ok(new TextDecoder().decode(value).includes('"hasNext":true'));
  await reader?.cancel();
});

Deno.test("a document that is invalid, rejected or planned to fail has one part, as JSON", async () => {
  const { ask, handler } = serve();
  const wrong = await ask("{ posts @defer { id } }", PARTS);
  strictEqual(wrong.headers.get("content-type")?.startsWith("application/"), true);
  strictEqual(
    (await wrong.json()).errors[0].message,
    'Directive "@defer" may not be used on FIELD.',
  );
  handler.failNext("Posts", 503);
  strictEqual((await ask(POSTS, PARTS)).status, 503);
  handler.failNext("Posts", new Error("disk full"));
  deepStrictEqual((await (await ask(POSTS, PARTS)).json()).errors, [{ message: "disk full" }]);
});
