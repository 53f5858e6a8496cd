import { testWriteDialect } from "../testing/write_dialect.ts";

/** Mutations in the style of Linear, Saleor and Vendure, whose names have more than one model. */
testWriteDialect({
  name: "names of several models",
  state: `{
    projects { id name labels { id } } projectUpdates { id body } customers { id addresses { id } }
    addresses { id street } teams { id cycles { id } } orderLines { id sku }
  }`,
  data: {
    projects: [{ id: "1", name: "P", labelIds: ["1"], projectUpdateIds: [] }],
    projectUpdates: [{ id: "1", body: "U" }],
    labels: [{ id: "1" }, { id: "2" }],
    customers: [{ id: "1", addressIds: ["1", "2"] }],
    addresses: [{ id: "1", street: "A" }, { id: "2", street: "B" }],
    teams: [{ id: "1", cycleIds: ["1"] }],
    cycles: [{ id: "1" }],
    orderLines: [{ id: "1", sku: "s" }],
    orderLineDiscounts: [{ id: "1" }],
  },
  schema: `
    type Query {
      projects: [Project!]! projectUpdates: [ProjectUpdate!]! labels: [Label!]!
      customers: [Customer!]! addresses: [Address!]! teams: [Team!]! cycles: [Cycle!]!
      orderLines: [OrderLine!]! orderLineDiscounts: [OrderLineDiscount!]!
    }
    type Project { id: ID! name: String labels: [Label!]! }
    type ProjectUpdate { id: ID! body: String project: Project }
    type Label { id: ID! }
    type Customer { id: ID! addresses: [Address!] }
    type Address { id: ID! street: String }
    type Team { id: ID! cycles: [Cycle!]! }
    type Cycle { id: ID! }
    type OrderLine { id: ID! sku: String quantity: Int }
    type OrderLineDiscount { id: ID! }
    input ProjectInput { name: String }
    input UpdateInput { body: String }
    input RemoveInput { orderId: ID! sku: String }
    input LineInput { sku: String }
    type ProjectPayload { success: Boolean! project: Project! }
    type ProjectUpdatePayload { projectUpdate: ProjectUpdate! }
    type Success { success: Boolean! }
    type TeamPayload { team: Team }
    type OrderLineBulkDelete { count: Int! }
    type Mutation {
      projectUpdate(id: String!, input: ProjectInput!): ProjectPayload!
      projectUpdateUpdate(id: String!, input: UpdateInput!): ProjectUpdatePayload!
      projectAddLabel(id: String!, labelId: String!): ProjectPayload!
      assignProjectLabels(projectId: String!, labelIds: [ID!]!): Project
      unassignProjectLabels(projectId: String!, labelIds: [ID!]!): Project
      projectNameUpdate(id: String!, name: String!, notify: Boolean): Project
      projectSettingsUpdate(id: String!, level: Int!): Project
      deleteCustomerAddress(id: ID!): Success!
      removeCustomerAddress(id: ID!): Success!
      teamCyclesDelete(id: String!): TeamPayload!
      orderLinesCreate(id: ID!, input: [LineInput!]!): [OrderLine!]
      orderLineUpdate(id: ID, sku: String, input: LineInput!): OrderLine
      orderLineDelete(id: ID, sku: String, force: Boolean): OrderLine
      removeOrderLine(input: RemoveInput!): Success!
      orderLineBulkDelete(ids: [ID!]!): OrderLineBulkDelete
      orderLineDiscountRemove(orderLineId: ID!): OrderLineDiscount
      orderLineCreateReminder(sku: String): OrderLine
      createOrderLineFromOrder(id: ID!): OrderLine
    }
  `,
  rows: [
    [
      'projectUpdate(id: "1", input: { name: "X" }) { success project { name } }',
      { success: true, project: { name: "X" } },
      ["1 X [1]", "1 U", "1 [1 2]", "1 A", "2 B", "1 [1]", "1 s"],
    ],
    [
      'projectUpdateUpdate(id: "1", input: { body: "X" }) { projectUpdate { id } }',
      { projectUpdate: { id: "1" } },
      ["1 P [1]", "1 X", "1 [1 2]", "1 A", "2 B", "1 [1]", "1 s"],
    ],
    [
      'assignProjectLabels(projectId: "1", labelIds: [2]) { labels { id } }',
      { labels: [{ id: "2" }] },
      ["1 P [2]", "1 U", "1 [1 2]", "1 A", "2 B", "1 [1]", "1 s"],
    ],
    [
      'projectAddLabel(id: "1", labelId: "2") { success project { labels { id } } }',
      { success: true, project: { labels: [{ id: "1" }, { id: "2" }] } },
      ["1 P [1 2]", "1 U", "1 [1 2]", "1 A", "2 B", "1 [1]", "1 s"],
    ],
    [
      'projectNameUpdate(id: "1", name: "X") { name }',
      { name: "X" },
      ["1 X [1]", "1 U", "1 [1 2]", "1 A", "2 B", "1 [1]", "1 s"],
    ],
    ["deleteCustomerAddress(id: 1) { success }", { success: true }, [
      "1 P [1]",
      "1 U",
      "1 [2]",
      "2 B",
      "1 [1]",
      "1 s",
    ]],
    ['orderLineUpdate(sku: "s", input: { sku: "t" }) { id }', { id: "1" }, [
      "1 P [1]",
      "1 U",
      "1 [1 2]",
      "1 A",
      "2 B",
      "1 [1]",
      "1 t",
    ]],
    ['orderLineDelete(sku: "s") { id }', { id: "1" }, [
      "1 P [1]",
      "1 U",
      "1 [1 2]",
      "1 A",
      "2 B",
      "1 [1]",
    ]],
    ["orderLineBulkDelete(ids: [1]) { count }", { count: 1 }, [
      "1 P [1]",
      "1 U",
      "1 [1 2]",
      "1 A",
      "2 B",
      "1 [1]",
    ]],
  ],
  refused: [
    ['unassignProjectLabels(projectId: "1", labelIds: [1]) { id }', /default resolver/],
    [
      'projectNameUpdate(id: "1", name: "X", notify: true) { id }',
      /It takes "notify", which no rule/,
    ],
    ['projectSettingsUpdate(id: "1", level: 1) { id }', /default resolver/],
    ["removeCustomerAddress(id: 1) { success }", /default resolver/],
    ['teamCyclesDelete(id: "1") { team { id } }', /default resolver/],
    ["orderLinesCreate(id: 7, input: [{}]) { id }", /It takes "id", which no rule reads/],
    ['orderLineDelete(id: 1, sku: "t") { id }', /^Cannot delete OrderLine/],
    [
      'removeOrderLine(input: { orderId: 7, sku: "s" }) { success }',
      /It takes "orderId", which no rule reads/,
    ],
    ["orderLineDelete(id: 1, force: true) { id }", /It takes "force", which no rule reads/],
    [
      "orderLineDiscountRemove(orderLineId: 1) { id }",
      /takes "orderLineId", which is not an id of OrderLineD/,
    ],
    ['orderLineCreateReminder(sku: "x") { id }', /default resolver/],
    ["createOrderLineFromOrder(id: 7) { id }", /default resolver/],
  ],
});
