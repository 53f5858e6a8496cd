/** In the style of pg_graphql, which Supabase serves: collections, filters, and writes of rows. */
export const PG_GRAPHQL_SCHEMA = `
scalar Cursor
scalar BigInt
scalar Datetime

enum OrderByDirection {
  AscNullsFirst
  AscNullsLast
  DescNullsFirst
  DescNullsLast
}

type PageInfo {
  startCursor: String
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
}

type Account {
  nodeId: ID!
  id: Int!
  email: String!
  createdAt: Datetime!
  blogCollection(first: Int, after: Cursor, filter: BlogFilter): BlogConnection
}

type Blog {
  nodeId: ID!
  id: Int!
  name: String!
  description: String
  ownerId: Int!
  owner: Account!
}

type AccountEdge {
  cursor: String!
  node: Account!
}

type AccountConnection {
  edges: [AccountEdge!]!
  pageInfo: PageInfo!
}

type BlogEdge {
  cursor: String!
  node: Blog!
}

type BlogConnection {
  edges: [BlogEdge!]!
  pageInfo: PageInfo!
}

input IntFilter {
  eq: Int
  gt: Int
  gte: Int
  in: [Int!]
  lt: Int
  lte: Int
  neq: Int
}

input StringFilter {
  eq: String
  ilike: String
  in: [String!]
  like: String
  neq: String
  startsWith: String
}

input AccountFilter {
  id: IntFilter
  email: StringFilter
}

input BlogFilter {
  id: IntFilter
  name: StringFilter
  ownerId: IntFilter
}

input BlogOrderBy {
  id: OrderByDirection
  name: OrderByDirection
}

input BlogInsertInput {
  name: String
  description: String
  ownerId: Int
}

input BlogUpdateInput {
  name: String
  description: String
}

type BlogInsertResponse {
  affectedCount: Int!
  records: [Blog!]!
}

type BlogUpdateResponse {
  affectedCount: Int!
  records: [Blog!]!
}

type BlogDeleteResponse {
  affectedCount: Int!
  records: [Blog!]!
}

type Query {
  accountCollection(first: Int, after: Cursor, filter: AccountFilter): AccountConnection
  blogCollection(
    first: Int
    after: Cursor
    filter: BlogFilter
    orderBy: [BlogOrderBy!]
  ): BlogConnection
}

type Mutation {
  insertIntoBlogCollection(objects: [BlogInsertInput!]!): BlogInsertResponse
  updateBlogCollection(
    set: BlogUpdateInput!
    filter: BlogFilter
    atMost: Int! = 1
  ): BlogUpdateResponse!
  deleteFromBlogCollection(filter: BlogFilter, atMost: Int! = 1): BlogDeleteResponse!
}
`;
