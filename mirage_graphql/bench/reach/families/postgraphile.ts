import type { Family } from "../documented_operation.ts";

/** In the style of PostGraphile: connections, conditions, and inputs with one object inside. */
export const postgraphile: Family = {
  name: "PostGraphile",
  schema: `
    scalar Cursor
    interface Node { nodeId: ID! }
    type Person implements Node {
      nodeId: ID! id: Int! name: String!
      postsByAuthorId(first: Int last: Int offset: Int before: Cursor after: Cursor orderBy: [PostsOrderBy!] = [PRIMARY_KEY_ASC] condition: PostCondition): PostsConnection!
    }
    type Post implements Node { nodeId: ID! id: Int! title: String! score: Int authorId: Int personByAuthorId: Person }
    type PostsConnection { nodes: [Post]! edges: [PostsEdge!]! pageInfo: PageInfo! totalCount: Int! }
    type PostsEdge { cursor: Cursor node: Post }
    type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: Cursor endCursor: Cursor }
    enum PostsOrderBy { NATURAL ID_ASC ID_DESC TITLE_ASC TITLE_DESC SCORE_ASC SCORE_DESC PRIMARY_KEY_ASC PRIMARY_KEY_DESC }
    input PostCondition { id: Int title: String score: Int authorId: Int }
    input PostFilter { id: IntFilter title: StringFilter score: IntFilter and: [PostFilter!] or: [PostFilter!] not: PostFilter }
    input IntFilter { isNull: Boolean equalTo: Int notEqualTo: Int in: [Int!] lessThan: Int greaterThan: Int greaterThanOrEqualTo: Int }
    input StringFilter { isNull: Boolean equalTo: String includes: String includesInsensitive: String startsWith: String }
    input PostInput { id: Int title: String! score: Int authorId: Int }
    input PostPatch { title: String score: Int authorId: Int }
    input CreatePostInput { clientMutationId: String post: PostInput! }
    input UpdatePostByIdInput { clientMutationId: String postPatch: PostPatch! id: Int! }
    input DeletePostByIdInput { clientMutationId: String id: Int! }
    type CreatePostPayload { clientMutationId: String post: Post query: Query postEdge(orderBy: [PostsOrderBy!] = [PRIMARY_KEY_ASC]): PostsEdge personByAuthorId: Person }
    type UpdatePostPayload { clientMutationId: String post: Post query: Query }
    type DeletePostPayload { clientMutationId: String post: Post deletedPostId: ID query: Query }
    type Query {
      allPosts(first: Int last: Int offset: Int before: Cursor after: Cursor orderBy: [PostsOrderBy!] = [PRIMARY_KEY_ASC] condition: PostCondition filter: PostFilter): PostsConnection
      postById(id: Int!): Post
      personById(id: Int!): Person
    }
    type Mutation {
      createPost(input: CreatePostInput!): CreatePostPayload
      updatePostById(input: UpdatePostByIdInput!): UpdatePostPayload
      deletePostById(input: DeletePostByIdInput!): DeletePostPayload
    }
  `,
  seeds: {
    people: [{ nodeId: "WyJwZW9wbGUiLDFd", id: 1, name: "Ada" }, {
      nodeId: "WyJwZW9wbGUiLDJd",
      id: 2,
      name: "Grace",
    }],
    posts: [
      { nodeId: "a", id: 1, title: "Engines", score: 4, authorId: 1, personByAuthorId: 1 },
      { nodeId: "b", id: 2, title: "Notes", score: 2, authorId: 1, personByAuthorId: 1 },
      { nodeId: "c", id: 3, title: "Compilers", score: null, authorId: 2, personByAuthorId: 2 },
    ],
  },
  operations: [
    {
      name: "all",
      query: "{ allPosts { nodes { id title } totalCount } }",
      expected: {
        allPosts: {
          nodes: [{ id: 1, title: "Engines" }, { id: 2 }, { id: 3 }],
          totalCount: 3,
        },
      },
    },
    {
      name: "by primary key",
      query: "{ postById(id: 2) { title personByAuthorId { name } } }",
      expected: { postById: { title: "Notes", personByAuthorId: { name: "Ada" } } },
    },
    {
      name: "condition",
      query: "{ allPosts(condition: {authorId: 1}) { nodes { title } totalCount } }",
      expected: { allPosts: { nodes: [{ title: "Engines" }, { title: "Notes" }], totalCount: 2 } },
    },
    {
      name: "order and page",
      query: `{ allPosts(orderBy: [TITLE_DESC], first: 2) {
        edges { cursor node { title } } pageInfo { hasNextPage } totalCount
      } }`,
      expected: {
        allPosts: {
          edges: [{ node: { title: "Notes" } }, { node: { title: "Engines" } }],
          pageInfo: { hasNextPage: true },
          totalCount: 3,
        },
      },
    },
    {
      name: "offset",
      query: "{ allPosts(first: 1, offset: 1) { nodes { id } } }",
      expected: { allPosts: { nodes: [{ id: 2 }] } },
    },
    {
      name: "filter",
      query: "{ allPosts(filter: {score: {greaterThan: 2}}) { nodes { id } } }",
      expected: { allPosts: { nodes: [{ id: 1 }] } },
    },
    {
      name: "connection of a relation",
      query: "{ personById(id: 1) { postsByAuthorId(orderBy: ID_DESC) { nodes { id } } } }",
      expected: { personById: { postsByAuthorId: { nodes: [{ id: 2 }, { id: 1 }] } } },
    },
    {
      name: "create",
      query:
        `mutation { createPost(input: {clientMutationId: "a", post: {title: "New", authorId: 2}}) {
        clientMutationId post { title authorId } postEdge { node { title } }
      } }`,
      expected: {
        createPost: {
          clientMutationId: "a",
          post: { title: "New", authorId: 2 },
          postEdge: { node: { title: "New" } },
        },
      },
      then: "{ allPosts { totalCount } }",
      expectedThen: { allPosts: { totalCount: 4 } },
    },
    {
      name: "update",
      query: `mutation { updatePostById(input: {id: 1, postPatch: {title: "New"}}) {
        post { id title score }
      } }`,
      expected: { updatePostById: { post: { id: 1, title: "New", score: 4 } } },
    },
    {
      name: "delete",
      query: "mutation { deletePostById(input: {id: 1}) { post { title } } }",
      expected: { deletePostById: { post: { title: "Engines" } } },
      then: "{ allPosts { nodes { id } } }",
      expectedThen: { allPosts: { nodes: [{ id: 2 }, { id: 3 }] } },
    },
  ],
};
