/** In the style of TypeGraphQL's generator for Prisma: `findMany` arguments, writes of one or many. */
export const PRISMA_SCHEMA = `
type User {
  id: ID!
  name: String!
  email: String!
  posts(where: PostWhereInput, orderBy: [PostOrderByInput!], take: Int, skip: Int): [Post!]!
}

type Post {
  id: ID!
  title: String!
  content: String
  published: Boolean!
  views: Int!
  createdAt: DateTime!
  author: User
}

scalar DateTime

type AffectedRowsOutput {
  count: Int!
}

enum SortOrder {
  asc
  desc
}

input StringFilter {
  equals: String
  contains: String
  startsWith: String
  in: [String!]
}

input IntFilter {
  equals: Int
  gt: Int
  gte: Int
  lt: Int
  lte: Int
}

input BoolFilter {
  equals: Boolean
}

input PostWhereInput {
  AND: [PostWhereInput!]
  OR: [PostWhereInput!]
  NOT: [PostWhereInput!]
  title: StringFilter
  views: IntFilter
  published: BoolFilter
  author: UserWhereInput
}

input UserWhereInput {
  AND: [UserWhereInput!]
  name: StringFilter
  email: StringFilter
}

input PostOrderByInput {
  title: SortOrder
  views: SortOrder
  createdAt: SortOrder
}

input UserWhereUniqueInput {
  id: ID
  email: String
}

input PostWhereUniqueInput {
  id: ID
}

input UserConnectInput {
  connect: UserWhereUniqueInput
}

input PostCreateInput {
  title: String!
  content: String
  published: Boolean
  views: Int
  author: UserConnectInput
}

input PostUpdateInput {
  title: String
  published: Boolean
  views: Int
}

type Query {
  posts(where: PostWhereInput, orderBy: [PostOrderByInput!], take: Int, skip: Int): [Post!]!
  post(where: PostWhereUniqueInput!): Post
  users(where: UserWhereInput, take: Int, skip: Int): [User!]!
  user(where: UserWhereUniqueInput!): User
}

type Mutation {
  createOnePost(data: PostCreateInput!): Post!
  updateOnePost(where: PostWhereUniqueInput!, data: PostUpdateInput!): Post
  deleteOnePost(where: PostWhereUniqueInput!): Post
  deleteManyPost(where: PostWhereInput): AffectedRowsOutput!
}
`;
