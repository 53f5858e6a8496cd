import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const TYPES = `
  type Query { posts: [Post!]! users: [User!]! }
  type User { id: ID! name: String posts: [Post!]! }
  type Post { id: ID! title: String views: Int author: User }
  input PostInput { title: String views: Int authorId: ID }
  input PostWhere { id: ID title: String }
`;

const DATA = {
  users: [{ id: "1", name: "Ada", postIds: ["1", "2"] }],
  posts: [
    { id: "1", title: "One", views: 1, authorId: "1" },
    { id: "2", title: "Two", views: 2, authorId: "1" },
  ],
};

/**
 * A mutation's field in the schema, further types, a call, its response, and the titles after it.
 */
type Row = readonly [
  style: string,
  field: string,
  types: string,
  call: string,
  answer: unknown,
  titles: readonly string[],
];

const ROWS: readonly Row[] = [
  [
    "flat creation",
    "createPost(title: String!, authorId: ID): Post!",
    "",
    'createPost(title: "New", authorId: 1) { id title author { name } }',
    { id: "3", title: "New", author: { name: "Ada" } },
    ["One", "Two", "New"],
  ],
  [
    "flat creation by one ID",
    "addPost(authorId: ID!): Post!",
    "",
    "addPost(authorId: 1) { id author { posts { id } } }",
    { id: "3", author: { posts: [{ id: "1" }, { id: "2" }, { id: "3" }] } },
    ["One", "Two", "undefined"],
  ],
  [
    "flat update",
    "updatePost(id: ID!, title: String, views: Int): Post",
    "",
    'updatePost(id: 1, title: "New") { id title views }',
    { id: "1", title: "New", views: 1 },
    ["New", "Two"],
  ],
  [
    "payload with numbers that count other things",
    "editPost(id: ID!, title: String): EditPayload",
    "type EditPayload { post: Post discount: Int commentCount: Int updatedCount: Int }",
    'editPost(id: 1, title: "New") { post { id } discount commentCount updatedCount }',
    { post: { id: "1" }, discount: null, commentCount: null, updatedCount: 1 },
    ["New", "Two"],
  ],
  [
    "deletion by an Int",
    "deletePost(id: Int!): Post",
    "",
    "deletePost(id: 1) { id title }",
    { id: "1", title: "One" },
    ["Two"],
  ],
  [
    "deletion that returns Boolean",
    "deletePost(id: ID!): Boolean!",
    "",
    "deletePost(id: 1)",
    true,
    ["Two"],
  ],
  ["deletion that returns ID", "removePost(postId: ID!): ID", "", "removePost(postId: 1)", "1", [
    "Two",
  ]],
  [
    "deletion that returns success",
    "deletePost(id: ID!): Done!",
    "type Done { success: Boolean! }",
    "deletePost(id: 1) { success }",
    { success: true },
    ["Two"],
  ],
  [
    "Prisma's update",
    "updateOnePost(where: PostWhere!, data: PostInput!): Post",
    "",
    'updateOnePost(where: { id: 1 }, data: { title: "New" }) { id title }',
    { id: "1", title: "New" },
    ["New", "Two"],
  ],
  [
    "an update by a unique attribute",
    "updatePost(where: PostWhere!, data: PostInput!): Post",
    "",
    'updatePost(where: { title: "Two" }, data: { title: "New" }) { id }',
    { id: "2" },
    ["One", "New"],
  ],
  [
    "Prisma's deletion of many",
    "deleteManyPost(where: PostWhere): Batch!",
    "type Batch { count: Int! }",
    'deleteManyPost(where: { title: "Two" }) { count }',
    { count: 1 },
    ["One"],
  ],
  [
    "Keystone's creation of many",
    "createPosts(data: [PostInput!]!): [Post!]",
    "",
    'createPosts(data: [{ title: "A" }, { title: "B", authorId: 1 }]) { id author { name } }',
    [{ id: "3", author: null }, { id: "4", author: { name: "Ada" } }],
    ["One", "Two", "A", "B"],
  ],
  [
    "Keystone's update of many",
    "updatePosts(data: [PostUpdate!]!): [Post]",
    "input PostUpdate { where: PostWhere! data: PostInput! }",
    'updatePosts(data: [{ where: { id: 2 }, data: { title: "B" } }, { where: { id: 1 }, data: { title: "A" } }]) { id title }',
    [{ id: "2", title: "B" }, { id: "1", title: "A" }],
    ["A", "B"],
  ],
  [
    "Keystone's deletion of many",
    "deletePosts(where: [PostWhere!]!): [Post]",
    "",
    "deletePosts(where: [{ id: 1 }, { id: 2 }]) { id }",
    [{ id: "1" }, { id: "2" }],
    [],
  ],
  ["deletion by ids", "deletePosts(ids: [ID!]!): Int", "", "deletePosts(ids: [2])", 1, ["One"]],
  [
    "Strapi's input",
    "updatePost(input: StrapiInput): StrapiPayload",
    "input StrapiInput { where: PostWhere data: PostInput } type StrapiPayload { post: Post }",
    'updatePost(input: { where: { id: 1 }, data: { title: "New" } }) { post { title } }',
    { post: { title: "New" } },
    ["New", "Two"],
  ],
  [
    "Amplify's condition, not given",
    "updatePost(input: AmplifyInput!, condition: PostWhere): Post",
    "input AmplifyInput { id: ID! title: String }",
    'updatePost(input: { id: 1, title: "New" }) { id title }',
    { id: "1", title: "New" },
    ["New", "Two"],
  ],
  [
    "Hasura's insert_one",
    "insert_posts_one(object: PostInput!, on_conflict: PostWhere): Post",
    "",
    'insert_posts_one(object: { title: "New" }) { id }',
    { id: "3" },
    ["One", "Two", "New"],
  ],
  [
    "Hasura's insert",
    "insert_posts(objects: [PostInput!]!): Mutated",
    "type Mutated { affected_rows: Int! returning: [Post!]! }",
    'insert_posts(objects: [{ title: "A" }, { title: "B" }]) { affected_rows returning { id title } }',
    { affected_rows: 2, returning: [{ id: "3", title: "A" }, { id: "4", title: "B" }] },
    ["One", "Two", "A", "B"],
  ],
  [
    "Hasura's update_by_pk",
    "update_posts_by_pk(pk_columns: Pk!, _set: PostInput, _inc: Inc): Post",
    "input Pk { id: Int! } input Inc { views: Int }",
    'update_posts_by_pk(pk_columns: { id: 2 }, _set: { title: "B" }, _inc: { views: 5 }) { id title views }',
    { id: "2", title: "B", views: 7 },
    ["One", "B"],
  ],
  [
    "Hasura's update",
    "update_posts(where: Bool!, _set: PostInput): Mutated",
    "input Bool { title: Compare } input Compare { _eq: String _in: [String!] } type Mutated { affected_rows: Int! returning: [Post!]! }",
    'update_posts(where: { title: { _in: ["One", "Two"] } }, _set: { title: "X" }) { affected_rows returning { id } }',
    { affected_rows: 2, returning: [{ id: "1" }, { id: "2" }] },
    ["X", "X"],
  ],
  [
    "Hasura's delete_by_pk",
    "delete_posts_by_pk(id: Int!): Post",
    "",
    "delete_posts_by_pk(id: 2) { id title author { name } }",
    { id: "2", title: "Two", author: { name: "Ada" } },
    ["One"],
  ],
  [
    "Shopify's payload",
    "postCreate(input: PostInput!): PostCreatePayload",
    "type PostCreatePayload { post: Post userErrors: [Problem!]! errors: [Problem!] } type Problem { message: String! }",
    'postCreate(input: { title: "New" }) { post { id } userErrors { message } errors { message } }',
    { post: { id: "3" }, userErrors: [], errors: [] },
    ["One", "Two", "New"],
  ],
  [
    "Apollo's response",
    "createPost(input: PostInput!): CreatePostResponse!",
    "type CreatePostResponse { code: Int! success: Boolean! message: String! post: Post }",
    'createPost(input: { title: "New" }) { code success message post { id } }',
    { code: 200, success: true, message: "OK", post: { id: "3" } },
    ["One", "Two", "New"],
  ],
  [
    "Linear's update",
    "postUpdate(id: String!, input: PostInput!): PostPayload!",
    "type PostPayload { lastSyncId: Float! success: Boolean! post: Post! }",
    'postUpdate(id: "2", input: { title: "New" }) { lastSyncId success post { id title } }',
    { lastSyncId: 1, success: true, post: { id: "2", title: "New" } },
    ["One", "New"],
  ],
  [
    "Relay's edge",
    "createPost(input: RelayInput!): CreatePostPayload",
    "input RelayInput { clientMutationId: String title: String } type CreatePostPayload { clientMutationId: String postEdge: PostEdge } type PostEdge { cursor: String! node: Post }",
    'createPost(input: { clientMutationId: "c", title: "New" }) { clientMutationId postEdge { cursor node { id title } } }',
    {
      clientMutationId: "c",
      postEdge: { cursor: btoa("Post:3"), node: { id: "3", title: "New" } },
    },
    ["One", "Two", "New"],
  ],
];

for (const [style, field, types, call, answer, titles] of ROWS) {
  Deno.test(`writes: ${style}`, async () => {
    const schema = `${TYPES} ${types} type Mutation { ${field} }`;
    const common = createMockServer(schema, { data: DATA, conventions: { writes: true } });
    deepStrictEqual(await common.data(`mutation { at: ${call} }`), { at: answer });
    deepStrictEqual(common.dump().posts?.map(({ title }) => String(title)), titles);
  });
}

/** Mutations that the types alone already define, or define differently. */
const SEED_RULES = ["flat creation by one ID", "Shopify's payload", "Apollo's response"];

for (const [style, field, types, call] of ROWS) {
  if (SEED_RULES.includes(style)) continue;
  Deno.test(`writes: ${style} is rejected without the convention`, async () => {
    const { errors, dump } = createMockServer(`${TYPES} ${types} type Mutation { ${field} }`, {
      data: DATA,
    });
    const before = dump();
    const [message = ""] = await errors(`mutation { at: ${call} }`);
    match(message, /^Could not find a default resolver/);
    deepStrictEqual(dump(), before);
  });
}

const REFUSING = `
  ${TYPES}
  type Label { id: ID! name: String }
  input Bool { title: Compare }
  input Compare { _gt: String _near: String }
  input IdInput { id: ID! title: String }
  input PinInput { postId: ID! }
  input SettingInput { postId: ID! value: Boolean }
  input LabelsInput { labelIds: [ID!]! postId: ID! }
  input Bad { title: String connect: PostWhere }
  type Labelable { clientMutationId: String posts: [Post!] }
  type PostPayload { post: Post }
  type Mutation {
    updatePost(input: IdInput!, condition: PostWhere): Post
    update_posts(where: Bool, _set: PostInput): [Post!]
    delete_posts(where: Bool!): [Post!]
    deletePost(where: PostWhere!): Boolean
    createPosts(data: [PostInput!]!): [Post!]
    pinPost(input: PinInput!): PostPayload
    closePost(id: ID!): Post
    updatePostSetting(input: SettingInput!): PostPayload
    addLabelsToPost(input: LabelsInput!): Labelable
    removeLabelsFromPost(labelIds: [ID!]!, postId: ID!): Post
    createPost(data: Bad, notify: Boolean): Post
    editPost(id: ID!, title: String): EditPayload
  }
  type EditPayload { post: Post account: String discount: Int commentCount: Int }
`;

const REFUSED: readonly (readonly [call: string, message: RegExp])[] = [
  [
    'updatePost(input: { id: 1 }, condition: { title: "x" }) { id }',
    /^Cannot update Post "1": the condition {"title":"x"} of the call is not met$/,
  ],
  [
    "update_posts(_set: {}) { id }",
    /needs the id of the Post to update, .* an empty object finds all/,
  ],
  [
    "delete_posts(where: { title: {} }) { id }",
    /^Cannot find Post by "title": it is empty or null/,
  ],
  [
    "delete_posts(where: { title: { _gt: null } }) { id }",
    /^Cannot find Post by "_gt": it is empty or/,
  ],
  [
    'delete_posts(where: { title: { _near: "A" } }) { id }',
    /^Cannot find Post by "_near": it has no/,
  ],
  ["deletePost(where: {})", /It needs the id of the Post to delete/],
  ['editPost(id: 9, title: "A") { account }', /^Cannot update Post "9": there is no record/],
  ["deletePost(where: { id: 9 })", /^Cannot delete Post "9": there is no record with this id$/],
  ['createPosts(data: [{ title: "A" }, { authorId: 9 }]) { id }', /there is no User "9"$/],
  ["pinPost(input: { postId: 1 }) { post { id } }", /It takes only an id, "postId"/],
  ["closePost(id: 1) { id }", /It is named after archiving or closing/],
  ["updatePostSetting(input: { postId: 1, value: true }) { post { id } }", /has no "value"/],
  ["addLabelsToPost(input: { labelIds: [1], postId: 1 }) { clientMutationId }", /default resolver/],
  ["removeLabelsFromPost(labelIds: [1], postId: 1) { id }", /default resolver/],
  ["createPost(data: { connect: { id: 1 } }) { id }", /It can't write "connect": Post has no such/],
  ['createPost(data: { title: "A" }, notify: true) { id }', /It takes "notify", which no rule/],
];

for (const [call, message] of REFUSED) {
  Deno.test(`writes: ${call} is rejected, and changes nothing`, async () => {
    const data = { ...DATA, labels: [{ id: "1", name: "bug" }] };
    const { errors, dump } = createMockServer(REFUSING, { data, conventions: "common" });
    const before = dump();
    const [first = "", ...others] = await errors(`mutation { ${call} }`);
    match(first, message);
    deepStrictEqual([others, dump()], [[], before]);
  });
}

Deno.test("writes: an empty list writes nothing", async () => {
  const schema =
    `${TYPES} type Mutation { deletePosts(ids: [ID!]): [Post!] createPosts(data: [PostInput!]!): [Post!] }`;
  const { data, dump } = createMockServer(schema, { data: DATA, conventions: "common" });
  const before = dump();
  deepStrictEqual(
    await data("mutation { deletePosts(ids: []) { id } createPosts(data: []) { id } }"),
    {
      deletePosts: [],
      createPosts: [],
    },
  );
  deepStrictEqual(dump(), before);
});
