import type { Family } from "../documented_operation.ts";

/** In the style of Keystone and Prisma: `where`, `data`, and nested writes. */
export const keystone: Family = {
  name: "Keystone",
  schema: `
    scalar DateTime
    enum OrderDirection { asc desc }
    enum QueryMode { default insensitive }
    type User { id: ID! name: String email: String posts(where: PostWhereInput! = {} orderBy: [PostOrderByInput!]! = [] take: Int skip: Int! = 0): [Post!] postsCount(where: PostWhereInput! = {}): Int }
    type Post { id: ID! title: String likes: Int publishedAt: DateTime author: User }
    input UserWhereUniqueInput { id: ID email: String }
    input PostWhereUniqueInput { id: ID }
    input IDFilter { equals: ID in: [ID!] notIn: [ID!] not: IDFilter }
    input StringFilter { equals: String in: [String!] lt: String gt: String contains: String startsWith: String endsWith: String mode: QueryMode not: StringFilter }
    input IntNullableFilter { equals: Int in: [Int!] lt: Int lte: Int gt: Int gte: Int not: IntNullableFilter }
    input UserWhereInput { AND: [UserWhereInput!] OR: [UserWhereInput!] NOT: [UserWhereInput!] id: IDFilter name: StringFilter posts: PostManyRelationFilter }
    input PostManyRelationFilter { every: PostWhereInput some: PostWhereInput none: PostWhereInput }
    input PostWhereInput { AND: [PostWhereInput!] OR: [PostWhereInput!] NOT: [PostWhereInput!] id: IDFilter title: StringFilter likes: IntNullableFilter author: UserWhereInput }
    input PostOrderByInput { id: OrderDirection title: OrderDirection likes: OrderDirection }
    input UserOrderByInput { id: OrderDirection name: OrderDirection }
    input PostCreateInput { title: String likes: Int publishedAt: DateTime author: UserRelateToOneForCreateInput }
    input PostUpdateInput { title: String likes: Int author: UserRelateToOneForUpdateInput }
    input PostUpdateArgs { where: PostWhereUniqueInput! data: PostUpdateInput! }
    input UserRelateToOneForCreateInput { create: UserCreateInput connect: UserWhereUniqueInput }
    input UserRelateToOneForUpdateInput { create: UserCreateInput connect: UserWhereUniqueInput disconnect: Boolean }
    input PostRelateToManyForCreateInput { create: [PostCreateInput!] connect: [PostWhereUniqueInput!] }
    input PostRelateToManyForUpdateInput { disconnect: [PostWhereUniqueInput!] set: [PostWhereUniqueInput!] create: [PostCreateInput!] connect: [PostWhereUniqueInput!] }
    input UserCreateInput { name: String email: String posts: PostRelateToManyForCreateInput }
    input UserUpdateInput { name: String email: String posts: PostRelateToManyForUpdateInput }
    type Query {
      users(where: UserWhereInput! = {} orderBy: [UserOrderByInput!]! = [] take: Int skip: Int! = 0): [User!]
      user(where: UserWhereUniqueInput!): User
      usersCount(where: UserWhereInput! = {}): Int
      posts(where: PostWhereInput! = {} orderBy: [PostOrderByInput!]! = [] take: Int skip: Int! = 0 cursor: PostWhereUniqueInput): [Post!]
      post(where: PostWhereUniqueInput!): Post
      postsCount(where: PostWhereInput! = {}): Int
    }
    type Mutation {
      createUser(data: UserCreateInput!): User
      updateUser(where: UserWhereUniqueInput! data: UserUpdateInput!): User
      createPost(data: PostCreateInput!): Post
      createPosts(data: [PostCreateInput!]!): [Post]
      updatePost(where: PostWhereUniqueInput! data: PostUpdateInput!): Post
      updatePosts(data: [PostUpdateArgs!]!): [Post]
      deletePost(where: PostWhereUniqueInput!): Post
      deletePosts(where: [PostWhereUniqueInput!]!): [Post]
    }
  `,
  seeds: {
    users: [
      { id: 1, name: "Ada", email: "ada@example.com", posts: [1, 2] },
      { id: 2, name: "Grace", email: "grace@example.com", posts: [3] },
    ],
    posts: [
      { id: 1, title: "Engines", likes: 4 },
      { id: 2, title: "Notes", likes: 2 },
      { id: 3, title: "Compilers", likes: null },
    ],
  },
  operations: [
    {
      name: "all, with the defaults of the schema",
      query: "{ posts { title } postsCount }",
      expected: {
        posts: [{ title: "Engines" }, { title: "Notes" }, { title: "Compilers" }],
        postsCount: 3,
      },
    },
    {
      name: "order and page",
      query: "{ posts(orderBy: [{title: asc}], take: 1, skip: 1) { title } }",
      expected: { posts: [{ title: "Engines" }] },
    },
    {
      name: "filter",
      query: `{ posts(where: {title: {contains: "NOTE", mode: insensitive}}) { title }
        postsCount(where: {likes: {gte: 2}}) }`,
      expected: { posts: [{ title: "Notes" }], postsCount: 2 },
    },
    {
      name: "some of a relation",
      query: `{ users(where: {posts: {some: {likes: {gt: 3}}}}) { name postsCount } }`,
      expected: { users: [{ name: "Ada", postsCount: 2 }] },
    },
    {
      name: "by a unique attribute",
      query: `{ user(where: {email: "grace@example.com"}) { name posts { title } } }`,
      expected: { user: { name: "Grace", posts: [{ title: "Compilers" }] } },
    },
    {
      name: "create with connect",
      query: `mutation { createPost(data: {title: "New", author: {connect: {id: 2}}}) {
        title author { name posts { title } }
      } }`,
      expected: {
        createPost: {
          title: "New",
          author: { name: "Grace", posts: [{ title: "Compilers" }, { title: "New" }] },
        },
      },
    },
    {
      name: "create with nested create",
      query: `mutation { createUser(data: {name: "Linus", posts: {create: [{title: "Kernel"}]}}) {
        name posts { title author { name } }
      } }`,
      expected: {
        createUser: { name: "Linus", posts: [{ title: "Kernel", author: { name: "Linus" } }] },
      },
    },
    {
      name: "update with set",
      query: `mutation { updateUser(where: {id: 2}, data: {posts: {set: [{id: 1}]}}) {
        posts { title }
      } }`,
      expected: { updateUser: { posts: [{ title: "Engines" }] } },
      then: "{ posts { id author { id } } }",
      expectedThen: {
        posts: [
          { id: "1", author: { id: "2" } },
          { id: "2", author: { id: "1" } },
          { id: "3", author: null },
        ],
      },
    },
    {
      name: "disconnect",
      query: `mutation { updatePost(where: {id: 1}, data: {author: {disconnect: true}}) {
        author { id }
      } }`,
      expected: { updatePost: { author: null } },
    },
    {
      name: "create many",
      query: `mutation { createPosts(data: [{title: "One"}, {title: "Two"}]) { title } }`,
      expected: { createPosts: [{ title: "One" }, { title: "Two" }] },
      then: "{ postsCount }",
      expectedThen: { postsCount: 5 },
    },
    {
      name: "update many",
      query: `mutation { updatePosts(data: [
        {where: {id: 1}, data: {likes: 9}}, {where: {id: 2}, data: {likes: 8}}
      ]) { likes } }`,
      expected: { updatePosts: [{ likes: 9 }, { likes: 8 }] },
    },
    {
      name: "delete",
      query: "mutation { deletePost(where: {id: 3}) { title } }",
      expected: { deletePost: { title: "Compilers" } },
      then: "{ posts { id } }",
      expectedThen: { posts: [{ id: "1" }, { id: "2" }] },
    },
  ],
};
