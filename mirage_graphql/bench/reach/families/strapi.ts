import type { Family } from "../documented_operation.ts";

/** In the style of Strapi 5: `documentId`, `filters`, `pagination` and `sort`. */
export const strapi: Family = {
  name: "Strapi",
  schema: `
    input PaginationArg { page: Int pageSize: Int start: Int limit: Int }
    type Pagination { total: Int! page: Int! pageSize: Int! pageCount: Int! }
    input StringFilterInput { and: [String] or: [String] not: StringFilterInput eq: String eqi: String ne: String startsWith: String endsWith: String contains: String notContains: String containsi: String gt: String lt: String null: Boolean notNull: Boolean in: [String] notIn: [String] }
    input IntFilterInput { eq: Int ne: Int gt: Int gte: Int lt: Int lte: Int null: Boolean notNull: Boolean in: [Int] notIn: [Int] between: [Int] }
    input IDFilterInput { eq: ID ne: ID in: [ID] }
    input RestaurantFiltersInput { documentId: IDFilterInput name: StringFilterInput stars: IntFilterInput category: CategoryFiltersInput and: [RestaurantFiltersInput] or: [RestaurantFiltersInput] not: RestaurantFiltersInput }
    input CategoryFiltersInput { documentId: IDFilterInput name: StringFilterInput }
    input RestaurantInput { name: String stars: Int category: ID }
    type Restaurant { documentId: ID! name: String! stars: Int category: Category }
    type Category { documentId: ID! name: String! restaurants(filters: RestaurantFiltersInput pagination: PaginationArg = {} sort: [String] = []): [Restaurant]! }
    type RestaurantEntityResponseCollection { nodes: [Restaurant!]! pageInfo: Pagination! }
    type DeleteMutationResponse { documentId: ID! }
    type Query {
      restaurant(documentId: ID!): Restaurant
      restaurants(filters: RestaurantFiltersInput pagination: PaginationArg = {} sort: [String] = []): [Restaurant]!
      restaurants_connection(filters: RestaurantFiltersInput pagination: PaginationArg = {} sort: [String] = []): RestaurantEntityResponseCollection
      categories: [Category]!
    }
    type Mutation {
      createRestaurant(data: RestaurantInput!): Restaurant
      updateRestaurant(documentId: ID! data: RestaurantInput!): Restaurant
      deleteRestaurant(documentId: ID!): DeleteMutationResponse
    }
  `,
  seeds: {
    categories: [{ documentId: "c1", name: "French" }, { documentId: "c2", name: "Thai" }],
    restaurants: [
      { documentId: "r1", name: "Zest", stars: 2 },
      { documentId: "r2", name: "Basil", stars: 3 },
      { documentId: "r3", name: "Olive", stars: null },
    ],
  },
  operations: [
    {
      name: "one",
      query: `{ restaurant(documentId: "r2") { documentId name } }`,
      expected: { restaurant: { documentId: "r2", name: "Basil" } },
    },
    {
      name: "sort",
      query: `{ restaurants(sort: ["name:asc"]) { name } }`,
      expected: { restaurants: [{ name: "Basil" }, { name: "Olive" }, { name: "Zest" }] },
    },
    {
      name: "filters",
      query: `{ restaurants(filters: {name: {containsi: "E"}, stars: {notNull: true}}) { name } }`,
      expected: { restaurants: [{ name: "Zest" }] },
    },
    {
      name: "or",
      query:
        `{ restaurants(filters: {or: [{name: {eq: "Basil"}}, {stars: {null: true}}]}) { name } }`,
      expected: { restaurants: [{ name: "Basil" }, { name: "Olive" }] },
    },
    {
      name: "page",
      query: `{ restaurants(pagination: {page: 2, pageSize: 2}) { name } }`,
      expected: { restaurants: [{ name: "Olive" }] },
    },
    {
      name: "connection",
      query: `{ restaurants_connection(pagination: {page: 1, pageSize: 2}) {
        nodes { name } pageInfo { total page pageSize pageCount }
      } }`,
      expected: {
        restaurants_connection: {
          nodes: [{ name: "Zest" }, { name: "Basil" }],
          pageInfo: { total: 3, page: 1, pageSize: 2, pageCount: 2 },
        },
      },
    },
    {
      name: "create",
      query:
        `mutation { createRestaurant(data: {name: "New", stars: 1}) { documentId name stars } }`,
      expected: { createRestaurant: { name: "New", stars: 1 } },
      then: "{ restaurants { name } }",
      expectedThen: {
        restaurants: [{ name: "Zest" }, { name: "Basil" }, { name: "Olive" }, { name: "New" }],
      },
    },
    {
      name: "update",
      query:
        `mutation { updateRestaurant(documentId: "r1", data: {name: "New"}) { documentId name stars } }`,
      expected: { updateRestaurant: { documentId: "r1", name: "New", stars: 2 } },
    },
    {
      name: "delete",
      query: `mutation { deleteRestaurant(documentId: "r1") { documentId } }`,
      expected: { deleteRestaurant: { documentId: "r1" } },
      then: "{ restaurants { documentId } }",
      expectedThen: { restaurants: [{ documentId: "r2" }, { documentId: "r3" }] },
    },
  ],
};
