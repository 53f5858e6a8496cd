import type { Family } from "../documented_operation.ts";

/** In the style of AWS Amplify: `getPost`, `listPosts`, `items` and `nextToken`. */
export const amplify: Family = {
  name: "Amplify",
  schema: `
    scalar AWSDateTime
    directive @aws_auth(cognito_groups: [String]) on FIELD_DEFINITION
    enum ModelSortDirection { ASC DESC }
    type Blog { id: ID! name: String! posts(filter: ModelPostFilterInput sortDirection: ModelSortDirection limit: Int nextToken: String): ModelPostConnection createdAt: AWSDateTime! updatedAt: AWSDateTime! }
    type Post { id: ID! title: String! views: Int blog: Blog createdAt: AWSDateTime! updatedAt: AWSDateTime! }
    type ModelPostConnection { items: [Post]! nextToken: String }
    type ModelBlogConnection { items: [Blog]! nextToken: String }
    input ModelIDInput { ne: ID eq: ID contains: ID between: [ID] beginsWith: ID }
    input ModelStringInput { ne: String eq: String le: String lt: String ge: String gt: String contains: String notContains: String between: [String] beginsWith: String attributeExists: Boolean }
    input ModelIntInput { ne: Int eq: Int le: Int lt: Int ge: Int gt: Int between: [Int] attributeExists: Boolean }
    input ModelPostFilterInput { id: ModelIDInput title: ModelStringInput views: ModelIntInput and: [ModelPostFilterInput] or: [ModelPostFilterInput] not: ModelPostFilterInput }
    input ModelBlogFilterInput { id: ModelIDInput name: ModelStringInput }
    input ModelPostConditionInput { title: ModelStringInput }
    input CreatePostInput { id: ID title: String! views: Int blogPostsId: ID }
    input UpdatePostInput { id: ID! title: String views: Int }
    input DeletePostInput { id: ID! }
    type Query {
      getPost(id: ID!): Post
      listPosts(filter: ModelPostFilterInput limit: Int nextToken: String): ModelPostConnection
      getBlog(id: ID!): Blog
      listBlogs(filter: ModelBlogFilterInput limit: Int nextToken: String): ModelBlogConnection
    }
    type Mutation {
      createPost(input: CreatePostInput! condition: ModelPostConditionInput): Post
      updatePost(input: UpdatePostInput! condition: ModelPostConditionInput): Post
      deletePost(input: DeletePostInput! condition: ModelPostConditionInput): Post
    }
  `,
  seeds: {
    blogs: [{
      id: 1,
      name: "Science",
      createdAt: "2026-01-01T00:00:00Z",
      updatedAt: "2026-01-01T00:00:00Z",
    }],
    posts: ["Engines", "Notes", "Compilers"].map((title, index) => ({
      id: index + 1,
      title,
      views: [10, 20, 30][index],
      createdAt: "2026-01-01T00:00:00Z",
      updatedAt: "2026-01-01T00:00:00Z",
      blog: 1,
    })),
  },
  operations: [
    {
      name: "get",
      query: "query { getPost(id: 2) { id title blog { name } } }",
      expected: { getPost: { id: "2", title: "Notes", blog: { name: "Science" } } },
    },
    {
      name: "list",
      query: "query { listPosts { items { id title } nextToken } }",
      expected: {
        listPosts: {
          items: [{ title: "Engines" }, { title: "Notes" }, { title: "Compilers" }],
          nextToken: null,
        },
      },
    },
    {
      name: "filter",
      query: `query { listPosts(filter: {title: {beginsWith: "N"}}) { items { title } } }`,
      expected: { listPosts: { items: [{ title: "Notes" }] } },
    },
    {
      name: "and, or, between",
      query:
        `query { listPosts(filter: {or: [{views: {between: [5, 15]}}, {title: {contains: "piler"}}]}) {
        items { id }
      } }`,
      expected: { listPosts: { items: [{ id: "1" }, { id: "3" }] } },
    },
    {
      name: "limit",
      query: "query { listPosts(limit: 2) { items { id } nextToken } }",
      expected: {
        listPosts: {
          items: [{ id: "1" }, { id: "2" }],
          nextToken: (token: unknown) => typeof token === "string" && token !== "",
        },
      },
    },
    {
      name: "list of a relation",
      query: "query { getBlog(id: 1) { posts(filter: {views: {gt: 15}}) { items { id } } } }",
      expected: { getBlog: { posts: { items: [{ id: "2" }, { id: "3" }] } } },
    },
    {
      name: "create",
      query:
        `mutation { createPost(input: {title: "New", blogPostsId: 1}) { id title createdAt } }`,
      expected: { createPost: { id: "4", title: "New" } },
      then: "{ listPosts { items { id } } }",
      expectedThen: { listPosts: { items: [{ id: "1" }, { id: "2" }, { id: "3" }, { id: "4" }] } },
    },
    {
      name: "update",
      query: `mutation { updatePost(input: {id: 1, title: "New"}) { id title views } }`,
      expected: { updatePost: { id: "1", title: "New", views: 10 } },
    },
    {
      name: "delete",
      query: "mutation { deletePost(input: {id: 1}) { id title } }",
      expected: { deletePost: { id: "1", title: "Engines" } },
      then: "{ getPost(id: 1) { id } }",
      expectedThen: { getPost: null },
    },
  ],
};
