import { type Family, someText } from "../documented_operation.ts";

/** In the style of Relay's own example: nodes, connections, and mutations that return edges. */
export const relay: Family = {
  name: "Relay",
  schema: `
    interface Node { id: ID! }
    enum TodoStatus { ANY COMPLETED OPEN }
    type User implements Node { id: ID! name: String todos(after: String first: Int before: String last: Int): TodoConnection totalCount: Int! }
    type Todo implements Node { id: ID! text: String! complete: Boolean! owner: User }
    type TodoConnection { pageInfo: PageInfo! edges: [TodoEdge] }
    type TodoEdge { node: Todo cursor: String! }
    type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
    input AddTodoInput { text: String! ownerId: ID clientMutationId: String }
    type AddTodoPayload { todoEdge: TodoEdge! user: User clientMutationId: String }
    input UpdateTodoInput { id: ID! complete: Boolean! clientMutationId: String }
    type UpdateTodoPayload { todo: Todo! clientMutationId: String }
    input RemoveTodoInput { id: ID! clientMutationId: String }
    type RemoveTodoPayload { deletedTodoId: ID! user: User clientMutationId: String }
    type Query { user(id: ID): User todos(first: Int after: String last: Int before: String): TodoConnection node(id: ID!): Node nodes(ids: [ID!]!): [Node]! }
    type Mutation {
      addTodo(input: AddTodoInput!): AddTodoPayload
      updateTodo(input: UpdateTodoInput!): UpdateTodoPayload
      removeTodo(input: RemoveTodoInput!): RemoveTodoPayload
    }
  `,
  seeds: {
    users: [{ id: "u1", name: "Ada", totalCount: 3 }],
    todos: [
      { id: "t1", text: "Taste", complete: true, owner: "u1" },
      { id: "t2", text: "Buy", complete: false, owner: "u1" },
      { id: "t3", text: "Ride", complete: false, owner: "u1" },
    ],
  },
  operations: [
    {
      name: "node",
      query: `{ node(id: "t2") { __typename id ... on Todo { text } } }`,
      expected: { node: { __typename: "Todo", id: "t2", text: "Buy" } },
    },
    {
      name: "nodes",
      query: `{ nodes(ids: ["t1", "u1"]) { __typename id } }`,
      expected: { nodes: [{ __typename: "Todo", id: "t1" }, { __typename: "User", id: "u1" }] },
    },
    {
      name: "first page",
      query: `{ user(id: "u1") { todos(first: 2) {
        edges { cursor node { id } } pageInfo { hasNextPage endCursor }
      } } }`,
      expected: {
        user: {
          todos: {
            edges: [{ cursor: someText, node: { id: "t1" } }, { node: { id: "t2" } }],
            pageInfo: { hasNextPage: true, endCursor: someText },
          },
        },
      },
    },
    {
      name: "last page",
      query: `{ todos(last: 1) { edges { node { text } } pageInfo { hasPreviousPage } } }`,
      expected: {
        todos: { edges: [{ node: { text: "Ride" } }], pageInfo: { hasPreviousPage: true } },
      },
    },
    {
      name: "add",
      query: `mutation($input: AddTodoInput!) { addTodo(input: $input) {
        clientMutationId todoEdge { cursor node { text owner { name } } }
      } }`,
      variables: { input: { text: "New", ownerId: "u1", clientMutationId: "0" } },
      expected: {
        addTodo: {
          clientMutationId: "0",
          todoEdge: { node: { text: "New", owner: { name: "Ada" } } },
        },
      },
      then: "{ todos { edges { node { text } } } }",
      expectedThen: {
        todos: {
          edges: ["Taste", "Buy", "Ride", "New"].map((text) => ({ node: { text } })),
        },
      },
    },
    {
      name: "update",
      query: `mutation { updateTodo(input: {id: "t2", complete: true, clientMutationId: "1"}) {
        clientMutationId todo { id text complete }
      } }`,
      expected: {
        updateTodo: { clientMutationId: "1", todo: { id: "t2", text: "Buy", complete: true } },
      },
    },
    {
      name: "remove",
      query: `mutation { removeTodo(input: {id: "t2", clientMutationId: "2"}) {
        clientMutationId deletedTodoId
      } }`,
      expected: { removeTodo: { clientMutationId: "2", deletedTodoId: "t2" } },
      then: "{ todos { edges { node { id } } } }",
      expectedThen: { todos: { edges: [{ node: { id: "t1" } }, { node: { id: "t3" } }] } },
    },
  ],
};
