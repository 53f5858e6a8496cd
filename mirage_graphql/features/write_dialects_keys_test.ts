import { testWriteDialect } from "../testing/write_dialect.ts";

const DATA = {
  posts: [
    { id: "1", nodeId: "n1", documentId: "d1", slug: "one", lang: "en", title: "One" },
    { id: "2", nodeId: "n2", documentId: "d2", slug: "two", lang: "en", title: "Two" },
  ],
};

const STATE = "{ posts { id title } }";

testWriteDialect({
  name: "PostGraphile",
  state: STATE,
  data: DATA,
  schema: `
    type Query { posts: [Post!]! }
    type Post { nodeId: ID! id: Int! slug: String! lang: String! title: String }
    input PostInput { id: Int nodeId: ID slug: String! title: String }
    input PostPatch { id: Int slug: String title: String }
    input CreatePostInput { clientMutationId: String post: PostInput! }
    input UpdatePostInput { clientMutationId: String nodeId: ID! patch: PostPatch! }
    input UpdatePostBySlugInput { clientMutationId: String slug: String! postPatch: PostPatch! }
    input UpdatePostByIdInput { id: Int! patch: PostPatch! }
    input PatchInput { patch: PostPatch! }
    input DeletePostInput { clientMutationId: String nodeId: ID! }
    input DeletePostBySlugInput { clientMutationId: String slug: String! }
    input DeleteByTwoInput { slug: String! lang: String! }
    input UpsertPostInput { post: PostInput! }
    type PostPayload { clientMutationId: String post: Post query: Query deletedPostNodeId: ID }
    type Mutation {
      createPost(input: CreatePostInput!): PostPayload
      updatePost(input: UpdatePostInput!): PostPayload
      updatePostBySlug(input: UpdatePostBySlugInput!): PostPayload
      updatePostById(input: UpdatePostByIdInput!): PostPayload
      changePost(input: PatchInput!): PostPayload
      deletePost(input: DeletePostInput!): PostPayload
      deletePostBySlug(input: DeletePostBySlugInput!): PostPayload
      deletePostByLangAndSlug(input: DeleteByTwoInput!): PostPayload
      upsertPost(input: UpsertPostInput!): PostPayload
    }
  `,
  rows: [
    [
      'createPost(input: { clientMutationId: "c", post: { nodeId: "n3", slug: "x", title: "New" } }) { clientMutationId post { id title } query { posts { id } } }',
      {
        clientMutationId: "c",
        post: { id: 3, title: "New" },
        query: { posts: [{ id: 1 }, { id: 2 }, { id: 3 }] },
      },
      ["1 One", "2 Two", "3 New"],
    ],
    [
      'updatePost(input: { clientMutationId: "c", nodeId: "n2", patch: { title: "X" } }) { clientMutationId post { id } }',
      { clientMutationId: "c", post: { id: 2 } },
      ["1 One", "2 X"],
    ],
    [
      'updatePostBySlug(input: { slug: "two", postPatch: { title: "X", slug: "new" } }) { post { id slug } }',
      { post: { id: 2, slug: "new" } },
      ["1 One", "2 X"],
    ],
    [
      'updatePostById(input: { id: 1, patch: { title: "X" } }) { post { slug } }',
      { post: { slug: "one" } },
      ["1 X", "2 Two"],
    ],
    ['deletePost(input: { nodeId: "n1" }) { post { title } }', { post: { title: "One" } }, [
      "2 Two",
    ]],
    ['deletePostBySlug(input: { slug: "two" }) { post { id } }', { post: { id: 2 } }, ["1 One"]],
    [
      'deletePostByLangAndSlug(input: { slug: "two", lang: "en" }) { post { id } }',
      { post: { id: 2 } },
      ["1 One"],
    ],
    [
      'upsertPost(input: { post: { id: 2, slug: "two", title: "X" } }) { post { id } }',
      { post: { id: 2 } },
      ["1 One", "2 X"],
    ],
    [
      'upsertPost(input: { post: { id: 7, slug: "x", title: "New" } }) { post { id } }',
      { post: { id: 7 } },
      ["1 One", "2 Two", "7 New"],
    ],
  ],
  refused: [
    [
      'updatePost(input: { nodeId: "?", patch: {} }) { query { posts { id } } }',
      /^Cannot update Post {"nodeId":"\?"}/,
    ],
    [
      'changePost(input: { patch: { title: "X" } }) { post { id } }',
      /needs the id of the Post to update/,
    ],
    [
      'deletePostByLangAndSlug(input: { slug: "two", lang: "de" }) { post { id } }',
      /^Cannot delete Post {/,
    ],
  ],
});

testWriteDialect({
  name: "Amplify",
  state: STATE,
  data: DATA,
  schema: `
    type Query { posts: [Post!]! }
    type Post { id: ID! title: String slug: String }
    input StringInput { eq: String ne: String contains: String attributeExists: Boolean }
    input PostCondition { title: StringInput slug: StringInput and: [PostCondition] not: PostCondition }
    input CreateInput { id: ID title: String! }
    input UpdateInput { id: ID! title: String }
    input DeleteInput { id: ID! }
    type Mutation {
      createPost(input: CreateInput!, condition: PostCondition): Post
      updatePost(input: UpdateInput!, condition: PostCondition): Post
      deletePost(input: DeleteInput!, condition: PostCondition): Post
    }
  `,
  rows: [
    [
      'createPost(input: { title: "New" }, condition: { title: { attributeExists: false } }) { id }',
      { id: "3" },
      ["1 One", "2 Two", "3 New"],
    ],
    [
      'updatePost(input: { id: 1, title: "X" }, condition: { title: { eq: "One" }, not: { slug: { contains: "w" } } }) { id title }',
      { id: "1", title: "X" },
      ["1 X", "2 Two"],
    ],
    [
      'deletePost(input: { id: 1 }, condition: { title: { ne: "Two" } }) { title }',
      { title: "One" },
      ["2 Two"],
    ],
    ["deletePost(input: { id: 1 }) { title }", { title: "One" }, ["2 Two"]],
  ],
  refused: [
    [
      'createPost(input: { title: "New" }, condition: { title: { eq: "x" } }) { id }',
      /^Cannot create Post: the condition .* is not met$/,
    ],
    [
      'updatePost(input: { id: 1, title: "X" }, condition: { title: { eq: "Two" } }) { id }',
      /^Cannot update Post "1": the condition {"title":{"eq":"Two"}} of the call is not met$/,
    ],
    [
      'deletePost(input: { id: 1 }, condition: { slug: { eq: "two" } }) { id }',
      /^Cannot delete Post "1": the condition/,
    ],
    [
      'deletePost(input: { id: 9 }, condition: { slug: { eq: "two" } }) { id }',
      /^Cannot delete Post "9": there/,
    ],
  ],
});

testWriteDialect({
  name: "Strapi",
  state: "{ posts { documentId title } }",
  data: DATA,
  schema: `
    type Query { posts: [Post!]! }
    type Post { documentId: ID! title: String slug: String }
    input PostInput { title: String slug: String }
    type DeleteMutationResponse { documentId: ID! }
    type Mutation {
      updatePost(documentId: ID!, status: String = "PUBLISHED", data: PostInput!): Post
      deletePost(documentId: ID!): DeleteMutationResponse
      removePost(documentId: ID!): Post
    }
  `,
  rows: [
    [
      'updatePost(documentId: "d2", data: { title: "X" }) { documentId title }',
      { documentId: "d2", title: "X" },
      ["d1 One", "d2 X"],
    ],
    ['deletePost(documentId: "d1") { documentId }', { documentId: "d1" }, ["d2 Two"]],
    ['removePost(documentId: "d1") { title }', { title: "One" }, ["d2 Two"]],
  ],
  refused: [
    [
      'deletePost(documentId: "?") { documentId }',
      /^Cannot delete Post "\?": there is no/,
    ],
  ],
});
