import { strictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { parseConventions } from "../dialects/options.ts";
import { createQuietServer } from "../orm/mirage/quiet_server.ts";
import { createOrm } from "../orm/orm.ts";
import type { IdFormat } from "../relay/global_id.ts";
import { createStub } from "./resolver_stub.ts";
import { createStubRules } from "./stub_rules.ts";

/** Writes the stub of one field, without types. */
function stubOf(field: string, { ids = "local" }: { readonly ids?: IdFormat } = {}): string {
  const [root = "", rest = ""] = field.split(/:(.*)/s);
  const schema = buildSchema(`
    type Post { id: ID! slug: String! title: String! isPinned: Boolean! at: String! author: User! }
    type User { id: ID! name: String! posts: [Post!]! }
    type PostEdge { cursor: String! node: Post! }
    type PostConnection { edges: [PostEdge!]! pageInfo: PageInfo! }
    type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
    type Payload { post: Post user: User ok: Boolean! code: Int note: String }
    type Stats { total: Int! average: Float! }
    union Found = Stats | Post
    input PostInput { id: ID title: String! authorId: ID! pin: Boolean }
    type Query { a: Int ${root === "Query" ? rest : ""} }
    type Mutation { a: Int ${root === "Mutation" ? rest : ""} }
    type Subscription { a: Int ${root === "Subscription" ? rest : ""} }
  `);
  const orm = createOrm(schema, createQuietServer().schema, parseConventions({ ids }));
  const [fieldName = ""] = /\w+/.exec(rest) ?? [];
  const stub = createStub(createStubRules(orm), { typeName: root, fieldName }, {
    types: undefined,
  });
  return stub?.code.split("\n").slice(1, -1).map((line) => line.trim()).join(" ") ?? "";
}

const MISSING = (code: string, type = "Post") =>
  `throw new Error(\`Cannot find "\${${code}}": there is no such ${type}\`);`;

const STUBS: readonly [field: string, body: string][] = [
  ["Query: top: [Post!]!", 'return mockSchema.all("post").models;'],
  [
    "Query: top(title: String!): [Post!]!",
    'return mockSchema.where("post", { title: args.title }).models;',
  ],
  ["Query: page: PostConnection!", 'return mockSchema.all("post").models;'],
  ["Query: some(ids: [ID!]!): [Post!]!", 'return mockSchema.find("post", args.ids).models;'],
  ["Query: by(slug: String!): Post", 'return mockSchema.findBy("post", { slug: args.slug });'],
  ["Query: stats: Stats!", "return { total: 0, average: 0 };"],
  ["Query: found: Found", 'return mockSchema.first("post");'],
  [
    "Mutation: pinPost(id: ID!, pinned: Boolean!): Post!",
    'const post = mockSchema.findBy("post", { id: args.id }); ' +
    `if (!post) ${MISSING("args.id")} post.update({ isPinned: args.pinned }); return post;`,
  ],
  [
    "Mutation: tune(slug: String!, title: String): Post",
    'const post = mockSchema.findBy("post", { slug: args.slug }); ' +
    `if (!post) ${
      MISSING("args.slug")
    } post.update({ title: args.title ?? post.title }); return post;`,
  ],
  [
    "Mutation: removePost(postId: ID!): Payload",
    'const post = mockSchema.findBy("post", { id: args.postId }); ' +
    `if (!post) ${MISSING("args.postId")} post.destroy(); return { post, ok: true };`,
  ],
  [
    "Mutation: createPost(input: PostInput!, note: String): Payload",
    'const post = mockSchema.create("post", { id: args.input.id, title: args.input.title, ' +
    'isPinned: args.input.pin, authorId: args.input.authorId, slug: "slug", ' +
    'at: "at", }); return { post, ok: true, note: args.note };',
  ],
  [
    "Mutation: touch(userId: ID!): Payload",
    'return { user: mockSchema.find("user", args.userId), ok: true };',
  ],
  [
    "Mutation: tunePost(id: ID, postId: ID): Post",
    'const post = mockSchema.findBy("post", { id: args.id ?? args.postId }); ' +
    `if (!post) ${MISSING("args.id ?? args.postId")} return post;`,
  ],
  [
    "Mutation: renameUser(userId: ID, name: String!): User",
    'const user = args.userId ? mockSchema.findBy("user", { id: args.userId }) : ' +
    `mockSchema.first("user"); if (!user) ${MISSING("args.userId", "User")} ` +
    "user.update({ name: args.name }); return user;",
  ],
  ["Mutation: wave: Boolean!", "return true;"],
];

for (const [field, body] of STUBS) {
  Deno.test(`createStub() writes a body for ${field}`, () => {
    strictEqual(stubOf(field), body);
  });
}

Deno.test("createStub() reads the id of a record from a global one", () => {
  const field = "Query: one(id: ID!): Post";
  strictEqual(
    stubOf(field, { ids: "global" }),
    'return mockSchema.findBy("post", { id: String(args.id).split(":").at(-1) });',
  );
  strictEqual(
    stubOf(field, { ids: "global-base64" }),
    'return mockSchema.findBy("post", { id: atob(args.id).split(":").at(-1) });',
  );
});
