import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { createGraphQLHandler } from "../mod.ts";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Person { id: ID! name: String posts: [Post!]! }
  type Post { id: ID! title: String author: Person }
  type HTTPLog { id: ID! path: String }
  type api_user { id: ID! logs: [HTTPLog!]! }
  type Query { people: [Person!]! posts: [Post!]! logs: [HTTPLog!]! users: [api_user!]! }
`;

Deno.test("models that the app does not define are derived, with both sides of their relations linked", async () => {
  const { server, data } = createMockServer(SCHEMA);
  const author = server.create("person", { name: "Ada" } as object);
  server.create("post", { title: "One", author } as object);
  server.create("post", { title: "Two", author } as object);
  deepStrictEqual(await data("{ people { name posts { title author { name } } } }"), {
    people: [{
      name: "Ada",
      posts: [
        { title: "One", author: { name: "Ada" } },
        { title: "Two", author: { name: "Ada" } },
      ],
    }],
  });
});

Deno.test("types of any casing have models, and tables that the app can fill", async () => {
  const { server, data } = createMockServer(SCHEMA);
  const log = server.create("httpLog", { path: "/" } as object);
  server.create("apiUser", { logs: [log] } as object);
  deepStrictEqual(await data("{ logs { __typename path } users { __typename logs { path } } }"), {
    logs: [{ __typename: "HTTPLog", path: "/" }],
    users: [{ __typename: "api_user", logs: [{ path: "/" }] }],
  });
});

Deno.test("user-defined models are kept, including relations", async () => {
  const { server, data } = createMockServer(SCHEMA, {
    models: {
      person: Model.extend({ posts: hasMany("post", { inverse: "writer" }) }),
      post: Model.extend({ writer: belongsTo("person", { inverse: "posts" }) }),
    },
    resolvers: { Post: { author: ({ writer }) => writer } },
  });
  const writer = server.create("person", { name: "Ada" } as object);
  server.create("post", { title: "One", writer } as object);
  deepStrictEqual(await data("{ posts { title author { name posts { title } } } }"), {
    posts: [{ title: "One", author: { name: "Ada", posts: [{ title: "One" }] } }],
  });
});

Deno.test("a user-defined model whose name differs only in casing belongs to the type", async () => {
  const { server, data } = createMockServer(SCHEMA, { models: { hTTPLog: Model } });
  server.create("hTTPLog", { path: "/own" } as object);
  deepStrictEqual(await data("{ logs { path } }"), { logs: [{ path: "/own" }] });
});

Deno.test("two handlers of one Mirage server share its models and its data", async () => {
  const { server, data } = createMockServer(SCHEMA);
  const second = createGraphQLHandler(
    "type Person { id: ID! name: String } type Query { people: [Person!]! }",
    server.schema,
  );
  server.create("person", { name: "Ada" } as object);
  const answer = await second(server.schema, {
    requestBody: JSON.stringify({ query: "{ people { name } }" }),
  });
  deepStrictEqual(JSON.stringify(answer.data), '{"people":[{"name":"Ada"}]}');
  deepStrictEqual(await data("{ people { name } }"), { people: [{ name: "Ada" }] });
});

Deno.test("the app's seeds and factories fill derived models", async () => {
  const { server, data } = createMockServer(SCHEMA);
  server.createList("post", 3);
  strictEqual((await data("{ posts { id title } }")).posts.length, 3);
});

Deno.test("strict: relations that can't be derived are an error at creation, with the line to write", async () => {
  const ambiguous = `
    type User { id: ID! posts: [Post!]! }
    type Post { id: ID! author: User editor: User }
    type Query { users: [User!]! }`;
  throws(() => createMockServer(ambiguous, { strict: true }), {
    name: "RangeError",
    message:
      'Cannot derive the inverse of "User.posts": "Post.author" and "Post.editor" may each ' +
      "lead back. Give the option `models` the inverses that you mean, `inverse: null` for none, such as " +
      '`models: { user: Model.extend({ posts: hasMany("post", { inverse: "author" }) }) }`',
  });
  const { server, data } = createMockServer(ambiguous, {
    models: { user: Model.extend({ posts: hasMany("post", { inverse: "author" }) }) },
  });
  const [author, editor] = [server.create("user"), server.create("user")];
  server.create("post", { author, editor } as object);
  deepStrictEqual(await data("{ users { posts { author { id } editor { id } } } }"), {
    users: [{ posts: [{ author: { id: "1" }, editor: { id: "2" } }] }, { posts: [] }],
  });
});

Deno.test("types without an id that no query returns are values in their record", async () => {
  const { server, data } = createMockServer(
    `type Address { city: String geo: Geo } type Geo { lat: Float }
     type Person { id: ID! address: Address homes: [Address!] } type Query { people: [Person!]! }`,
  );
  const address = { city: "London", geo: { lat: 51.5 } };
  server.create("person", { address, homes: [address] } as object);
  deepStrictEqual(await data("{ people { address { city geo { lat } } homes { city } } }"), {
    people: [{ address, homes: [{ city: "London" }] }],
  });
});

Deno.test("a connection or aggregate next to a list is the same relation in another shape", async () => {
  const schema = `
    type Author { id: ID! posts: [Post!]! postsConnection: PostConnection! posts_aggregate: posts_aggregate! }
    type Post { id: ID! author: Author }
    type PostEdge { node: Post! }
    type PostConnection { edges: [PostEdge!]! }
    type posts_aggregate { nodes: [Post!]! totalCount: Int! }
    type Query { authors: [Author!]! }
  `;
  const { server, data } = createMockServer(schema, { conventions: { connections: true } });
  server.create("post", { author: server.create("author") } as object);
  const posts = [{ id: "1" }];
  deepStrictEqual(
    await data(
      "{ authors { posts { id } postsConnection { edges { node { id } } } posts_aggregate { totalCount nodes { id } } } }",
    ),
    {
      authors: [{
        posts,
        postsConnection: { edges: posts.map((node) => ({ node })) },
        posts_aggregate: { totalCount: 1, nodes: posts },
      }],
    },
  );
});
