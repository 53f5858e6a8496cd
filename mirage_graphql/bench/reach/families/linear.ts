import type { Family } from "../documented_operation.ts";

/** In the style of Linear: the type before the verb, and connections with `nodes`. */
export const linear: Family = {
  name: "Linear",
  schema: `
    scalar DateTime
    enum PaginationOrderBy { createdAt updatedAt }
    type User { id: ID! name: String! email: String! assignedIssues(filter: IssueFilter first: Int after: String last: Int before: String orderBy: PaginationOrderBy): IssueConnection! }
    type Team { id: ID! name: String! issues(filter: IssueFilter first: Int after: String): IssueConnection! }
    type Issue { id: ID! title: String! priority: Float! createdAt: DateTime! assignee: User team: Team! }
    type IssueConnection { edges: [IssueEdge!]! nodes: [Issue!]! pageInfo: PageInfo! }
    type IssueEdge { node: Issue! cursor: String! }
    type TeamConnection { nodes: [Team!]! pageInfo: PageInfo! }
    type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
    input StringComparator { eq: String neq: String in: [String!] nin: [String!] eqIgnoreCase: String startsWith: String contains: String containsIgnoreCase: String }
    input NullableNumberComparator { eq: Float neq: Float lt: Float lte: Float gt: Float gte: Float in: [Float!] null: Boolean }
    input NullableUserFilter { name: StringComparator email: StringComparator null: Boolean }
    input TeamFilter { name: StringComparator }
    input IssueFilter { title: StringComparator priority: NullableNumberComparator assignee: NullableUserFilter team: TeamFilter and: [IssueFilter!] or: [IssueFilter!] }
    input IssueCreateInput { id: String title: String! teamId: String! assigneeId: String priority: Int }
    input IssueUpdateInput { title: String assigneeId: String priority: Int }
    type IssuePayload { lastSyncId: Float! issue: Issue success: Boolean! }
    type IssueArchivePayload { lastSyncId: Float! success: Boolean! entity: Issue }
    type DeletePayload { lastSyncId: Float! success: Boolean! entityId: String! }
    type Query {
      viewer: User!
      issue(id: String!): Issue!
      issues(filter: IssueFilter first: Int after: String last: Int before: String includeArchived: Boolean orderBy: PaginationOrderBy): IssueConnection!
      teams(first: Int): TeamConnection!
      user(id: String!): User!
    }
    type Mutation {
      issueCreate(input: IssueCreateInput!): IssuePayload!
      issueUpdate(id: String! input: IssueUpdateInput!): IssuePayload!
      issueDelete(id: String! permanentlyDelete: Boolean): IssueArchivePayload!
    }
  `,
  seeds: {
    users: [{ id: 1, name: "Ada", email: "ada@example.com" }],
    teams: [{ id: 1, name: "Core" }, { id: 2, name: "Web" }],
    issues: [
      {
        id: 1,
        title: "Crash",
        priority: 1,
        createdAt: "2026-01-01T00:00:00Z",
        assignee: 1,
        team: 1,
      },
      { id: 2, title: "Typo", priority: 4, createdAt: "2026-01-03T00:00:00Z", team: 2 },
      {
        id: 3,
        title: "Slow crash",
        priority: 2,
        createdAt: "2026-01-02T00:00:00Z",
        assignee: 1,
        team: 1,
      },
    ],
  },
  operations: [
    { name: "viewer", query: "{ viewer { name email } }", expected: { viewer: { name: "Ada" } } },
    {
      name: "one",
      query: `{ issue(id: "2") { id title team { name } } }`,
      expected: { issue: { id: "2", title: "Typo", team: { name: "Web" } } },
    },
    {
      name: "page",
      query: "{ issues(first: 2) { nodes { id } pageInfo { hasNextPage endCursor } } }",
      expected: {
        issues: { nodes: [{ id: "1" }, { id: "2" }], pageInfo: { hasNextPage: true } },
      },
    },
    {
      name: "filter by a relation",
      query: `{ issues(filter: {assignee: {email: {eq: "ada@example.com"}}, priority: {lte: 1}}) {
        nodes { title }
      } }`,
      expected: { issues: { nodes: [{ title: "Crash" }] } },
    },
    {
      name: "filter by text",
      query: `{ issues(filter: {or: [{title: {containsIgnoreCase: "CRASH"}}]}) { nodes { id } } }`,
      expected: { issues: { nodes: [{ id: "1" }, { id: "3" }] } },
    },
    {
      name: "connection of a relation",
      query: `{ user(id: "1") { assignedIssues(first: 1) { nodes { title } } } }`,
      expected: { user: { assignedIssues: { nodes: [{ title: "Crash" }] } } },
    },
    {
      name: "create",
      query: `mutation { issueCreate(input: {title: "New", teamId: "2"}) {
        success issue { id title team { name } }
      } }`,
      expected: {
        issueCreate: { success: true, issue: { id: "4", title: "New", team: { name: "Web" } } },
      },
    },
    {
      name: "update",
      query:
        `mutation { issueUpdate(id: "2", input: {title: "New"}) { success issue { id title } } }`,
      expected: { issueUpdate: { success: true, issue: { id: "2", title: "New" } } },
      then: "{ issues { nodes { title } } }",
      expectedThen: {
        issues: { nodes: [{ title: "Crash" }, { title: "New" }, { title: "Slow crash" }] },
      },
    },
    {
      name: "delete",
      query: `mutation { issueDelete(id: "2") { success } }`,
      expected: { issueDelete: { success: true } },
      then: "{ issues { nodes { id } } }",
      expectedThen: { issues: { nodes: [{ id: "1" }, { id: "3" }] } },
    },
  ],
};
