import { testWriteDialect } from "../testing/write_dialect.ts";

const DATA = {
  users: [{ id: "1", name: "Ada", postIds: ["1", "2"] }, { id: "2", name: "Bea", postIds: [] }],
  posts: [
    { id: "1", title: "One", views: 1, userId: "1", tagIds: ["1"] },
    { id: "2", title: "Two", views: 2, userId: "1", tagIds: [] },
  ],
  tags: [{ id: "1", name: "new", postIds: ["1"] }],
};

const TYPES = `
  type Query { posts: [Post!]! users: [User!]! me: User }
  type User { id: ID! name: String password: String posts: [Post!]! }
  type Post { id: ID! title: String views: Int user: User tags: [Tag!]! }
  type Tag { id: ID! name: String posts: [Post!]! }
  input StringFilter { eq: String in: [String!] }
  input PostFilter { title: StringFilter and: [PostFilter!] }
  input PostInput { title: String views: Int }
`;

const STATE = "{ posts { id title user { id } tags { id } } users { id name posts { id } } }";
const POSTS = ["1 One 1 [1]", "2 Two 1 []"];
const USERS = ["1 Ada [1 2]", "2 Bea []"];

testWriteDialect({
  name: "mutations of many APIs",
  data: DATA,
  state: STATE,
  schema: `
    ${TYPES}
    type Problem { message: String! }
    input OnePost { post: PostInput! }
    input ManyPosts { posts: [PostInput!]! }
    input OneUpdate { id: ID! update: PostInput! }
    input ManyUpdate { filter: PostFilter! update: PostInput! }
    input ManyDelete { filter: PostFilter! }
    type UpdatedMany { updatedCount: Int! }
    type DeletedMany { deletedCount: Int! }
    input SetPatch { filter: PostFilter! set: PostInput remove: PostInput }
    type DgraphPayload { msg: String numUids: Int post: [Post] }
    type Info { nodesCreated: Int! nodesDeleted: Int! relationshipsCreated: Int! }
    type NeoPayload { info: Info! posts: [Post!]! }
    type GadgetPayload { success: Boolean! errors: [Problem!] post: Post }
    type SaleorPayload { post: Post errors: [Problem!]! hasErrors: Boolean! }
    type BulkPayload { count: Int! errors: [Problem!]! }
    type PageInput { id: ID }
    type SupabasePayload { affectedCount: Int! records: [Post!]! }
    type DirectusDeleted { id: ID! }
    type DirectusDeletedMany { ids: [ID]! }
    type LinearPayload { success: Boolean! entityId: String! lastSyncId: Float! }
    type Updated { wasCreated: Boolean! wasUpdated: Boolean! deleted: Boolean! post: Post }
    input Upsert { create: PostInput! update: PostInput! }
    input PostUnique { id: ID }
    type Mutation {
      createOnePost(input: OnePost!): Post!
      createManyPosts(input: ManyPosts!): [Post!]!
      updateOnePost(input: OneUpdate!): Post!
      updateManyPosts(input: ManyUpdate!): UpdatedMany!
      deleteManyPosts(input: ManyDelete!): DeletedMany!
      addPost(input: [PostInput!]!, upsert: Boolean): DgraphPayload
      updatePost(input: SetPatch!): DgraphPayload
      deletePost(filter: PostFilter!): DgraphPayload
      createPosts(input: [PostInput!]!): NeoPayload!
      updatePosts(where: PostFilter, update: PostInput): NeoPayload!
      editPost(id: ID!, post: PostInput): GadgetPayload
      postUpdate(id: ID, input: PostInput!): SaleorPayload
      postBulkDelete(ids: [ID!]!): BulkPayload
      insertIntoPostCollection(objects: [PostInput!]!): SupabasePayload
      updatePostCollection(set: PostInput!, filter: PostFilter): SupabasePayload!
      deleteFromPostCollection(filter: PostFilter): SupabasePayload!
      create_posts_item(data: PostInput!): Post
      update_posts_items(ids: [ID]!, data: PostInput!): [Post!]!
      delete_posts_item(id: ID!): DirectusDeleted
      delete_posts_items(ids: [ID]!): DirectusDeletedMany
      postDelete(id: String!): LinearPayload!
      savePost(id: ID, title: String): Post
      createOrUpdatePost(input: PostSave!): Post
      upsertPost(where: PostUnique!, upsert: Upsert!): Post
      patchPost(id: ID!, data: PostInput!): Updated
      setPostTitle(id: ID!, title: String!): Post
      changePostUser(postId: ID!, userId: ID!): Post
      setPostTags(postId: ID!, tagIds: [ID!]!): Post
      deletePosts(userId: ID!): Boolean!
      updateMe(name: String): User
      userUpdate(input: UserInput!): UserPayload
      addCommentToPost(postId: ID!, body: String): Post
      addTagToPost(postId: ID!, tagId: ID!): Post
      likePost(id: ID!): Post
      likePostAs(postId: ID!, userId: ID!): Post
      login(name: String!, password: String!): User
      loginUser(name: String!, password: String!): User
      createSession(name: String!, password: String!): User
      registerUser(name: String!, password: String!): User
    }
    input PostSave { id: ID title: String }
    input UserInput { name: String }
    type UserPayload { user: User errors: [Problem!]! }
  `,
  rows: [
    ['createOnePost(input: { post: { title: "New" } }) { id }', { id: "3" }, [
      ...POSTS,
      "3 New 1 []",
      "1 Ada [1 2 3]",
      "2 Bea []",
    ]],
    [
      'createManyPosts(input: { posts: [{ title: "A" }, { title: "B" }] }) { id }',
      [{ id: "3" }, { id: "4" }],
      [...POSTS, "3 A - []", "4 B - []", ...USERS],
    ],
    ['updateOnePost(input: { id: 2, update: { title: "X" } }) { id }', { id: "2" }, [
      "1 One 1 [1]",
      "2 X 1 []",
      ...USERS,
    ]],
    [
      'updateManyPosts(input: { filter: { title: { in: ["Two", "?"] } }, update: { title: "X" } }) { updatedCount }',
      { updatedCount: 1 },
      ["1 One 1 [1]", "2 X 1 []", ...USERS],
    ],
    [
      'deleteManyPosts(input: { filter: { title: { eq: "One" } } }) { deletedCount }',
      { deletedCount: 1 },
      ["2 Two 1 []", "1 Ada [2]", "2 Bea []"],
    ],
    [
      'addPost(input: [{ title: "A" }]) { msg numUids post { id } }',
      { msg: "OK", numUids: 1, post: [{ id: "3" }] },
      [...POSTS, "3 A - []", ...USERS],
    ],
    [
      'updatePost(input: { filter: { title: { eq: "One" } }, set: { title: "X" } }) { numUids post { title } }',
      { numUids: 1, post: [{ title: "X" }] },
      ["1 X 1 [1]", "2 Two 1 []", ...USERS],
    ],
    ['deletePost(filter: { title: { eq: "Two" } }) { msg }', { msg: "OK" }, [
      "1 One 1 [1]",
      "1 Ada [1]",
      "2 Bea []",
    ]],
    [
      'createPosts(input: [{ title: "A" }]) { info { nodesCreated nodesDeleted relationshipsCreated } posts { id } }',
      { info: { nodesCreated: 1, nodesDeleted: 0, relationshipsCreated: 1 }, posts: [{ id: "3" }] },
      [...POSTS, "3 A - []", ...USERS],
    ],
    [
      'updatePosts(where: { title: { eq: "One" } }, update: { title: "X" }) { posts { id } }',
      { posts: [{ id: "1" }] },
      ["1 X 1 [1]", "2 Two 1 []", ...USERS],
    ],
    ['editPost(id: 2, post: { title: "X" }) { success errors { message } post { id } }', {
      success: true,
      errors: [],
      post: { id: "2" },
    }, ["1 One 1 [1]", "2 X 1 []", ...USERS]],
    ['postUpdate(id: 2, input: { title: "X" }) { hasErrors errors { message } post { id } }', {
      hasErrors: false,
      errors: [],
      post: { id: "2" },
    }, ["1 One 1 [1]", "2 X 1 []", ...USERS]],
    ["postBulkDelete(ids: [2, 9]) { count }", { count: 1 }, [
      "1 One 1 [1]",
      "1 Ada [1]",
      "2 Bea []",
    ]],
    ['insertIntoPostCollection(objects: [{ title: "A" }]) { affectedCount records { id } }', {
      affectedCount: 1,
      records: [{ id: "3" }],
    }, [...POSTS, "3 A - []", ...USERS]],
    [
      'updatePostCollection(set: { title: "X" }, filter: { title: { eq: "One" } }) { affectedCount records { id } }',
      { affectedCount: 1, records: [{ id: "1" }] },
      ["1 X 1 [1]", "2 Two 1 []", ...USERS],
    ],
    ['deleteFromPostCollection(filter: { title: { eq: "One" } }) { affectedCount }', {
      affectedCount: 1,
    }, [
      "2 Two 1 []",
      "1 Ada [2]",
      "2 Bea []",
    ]],
    ['create_posts_item(data: { title: "A" }) { id }', { id: "3" }, [
      ...POSTS,
      "3 A 1 []",
      "1 Ada [1 2 3]",
      "2 Bea []",
    ]],
    ["addTagToPost(postId: 2, tagId: 1) { tags { posts { id } } }", {
      tags: [{ posts: [{ id: "1" }, { id: "2" }] }],
    }, ["1 One 1 [1]", "2 Two 1 [1]", ...USERS]],
    ['update_posts_items(ids: [2, 1], data: { title: "X" }) { id }', [{ id: "2" }, { id: "1" }], [
      "1 X 1 [1]",
      "2 X 1 []",
      ...USERS,
    ]],
    ["delete_posts_item(id: 1) { id }", { id: "1" }, ["2 Two 1 []", "1 Ada [2]", "2 Bea []"]],
    ["delete_posts_items(ids: [1, 2]) { ids }", { ids: ["1", "2"] }, ["1 Ada []", "2 Bea []"]],
    ['postDelete(id: "2") { success entityId lastSyncId }', {
      success: true,
      entityId: "2",
      lastSyncId: 1,
    }, ["1 One 1 [1]", "1 Ada [1]", "2 Bea []"]],
    ['savePost(id: 2, title: "X") { id }', { id: "2" }, ["1 One 1 [1]", "2 X 1 []", ...USERS]],
    ['savePost(title: "New") { id }', { id: "3" }, [...POSTS, "3 New - []", ...USERS]],
    ['createOrUpdatePost(input: { id: 2, title: "X" }) { id }', { id: "2" }, [
      "1 One 1 [1]",
      "2 X 1 []",
      ...USERS,
    ]],
    ['createOrUpdatePost(input: { title: "New" }) { id }', { id: "3" }, [
      ...POSTS,
      "3 New - []",
      ...USERS,
    ]],
    [
      'upsertPost(where: { id: 2 }, upsert: { create: { title: "A" }, update: { title: "B" } }) { title }',
      { title: "B" },
      ["1 One 1 [1]", "2 B 1 []", ...USERS],
    ],
    [
      'patchPost(id: 2, data: { title: "X" }) { wasCreated wasUpdated deleted post { title } }',
      { wasCreated: false, wasUpdated: true, deleted: false, post: { title: "X" } },
      ["1 One 1 [1]", "2 X 1 []", ...USERS],
    ],
    ['setPostTitle(id: 2, title: "X") { title }', { title: "X" }, [
      "1 One 1 [1]",
      "2 X 1 []",
      ...USERS,
    ]],
    ["changePostUser(postId: 2, userId: 2) { user { name } }", { user: { name: "Bea" } }, [
      "1 One 1 [1]",
      "2 Two 2 []",
      "1 Ada [1]",
      "2 Bea [2]",
    ]],
    ["setPostTags(postId: 2, tagIds: [1]) { tags { posts { id } } }", {
      tags: [{ posts: [{ id: "1" }, { id: "2" }] }],
    }, ["1 One 1 [1]", "2 Two 1 [1]", ...USERS]],
    ["deletePosts(userId: 1)", true, ["1 Ada []", "2 Bea []"]],
    ['updateMe(name: "X") { id }', { id: "1" }, [...POSTS, "1 X [1 2]", "2 Bea []"]],
    ['userUpdate(input: { name: "X" }) { user { id } errors { message } }', {
      user: { id: "1" },
      errors: [],
    }, [...POSTS, "1 X [1 2]", "2 Bea []"]],
    ['registerUser(name: "New", password: "x") { id }', { id: "3" }, [
      ...POSTS,
      ...USERS,
      "3 New []",
    ]],
  ],
  refused: [
    ["addPost(input: [{}], upsert: true) { numUids }", /It takes "upsert", which no rule reads/],
    ["updatePosts(update: {}) { posts { id } }", /needs the id of the Post to update/],
    [
      'updatePost(input: { filter: {}, set: {}, remove: { title: "One" } }) { msg }',
      /It takes "remove"/,
    ],
    ["deleteFromPostCollection { affectedCount }", /needs the id of the Post to delete/],
    ['addCommentToPost(postId: 1, body: "x") { id }', /default resolver/],
    ["likePost(id: 1) { id }", /It takes only an ID, and its name does not say that it deletes/],
    ["likePostAs(postId: 1, userId: 2) { id }", /default resolver/],
    ['login(name: "Ada", password: "x") { id }', /default resolver/],
    ['loginUser(name: "Ada", password: "x") { id }', /default resolver/],
    ['createSession(name: "Ada", password: "x") { id }', /default resolver/],
  ],
});
