import { deepStrictEqual } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Repository {
    id: ID! name: String!
    issues(state: String, first: Int): IssueConnection!
    issue(number: Int!, state: String): Issue
    labels: [Label!]! label(name: String!): Label!
  }
  type Issue { id: ID! number: Int! state: String repository: Repository! }
  type Label { id: ID! name: String! }
  type PageInfo { hasNextPage: Boolean! startCursor: String }
  type IssueEdge { node: Issue }
  type IssueConnection { edges: [IssueEdge] nodes: [Issue] pageInfo: PageInfo! }
  type Summary { labels: [Label!]! label(name: String!): Label }
  input IssueInput { number: Int! repositoryId: ID! }
  type Mutation { createIssue(input: IssueInput!): Issue }
  type Query { repository(name: String!): Repository summary: Summary }
`;

const DATA = {
  repositories: [
    { id: "1", name: "one", issueIds: ["1", "2"], labelIds: ["1"] },
    { id: "2", name: "two", issueIds: ["3"], labelIds: [] },
  ],
  issues: [
    { id: "1", number: 1, state: "OPEN", repositoryId: "1" },
    { id: "2", number: 2, state: "OPEN", repositoryId: "1" },
    { id: "3", number: 2, state: "CLOSED", repositoryId: "2" },
  ],
  labels: [{ id: "1", name: "bug" }, { id: "2", name: "idea" }],
};

Deno.test("a single field with a required argument looks in the list next to it", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  deepStrictEqual(
    await data(`{
      one: repository(name: "one") {
        issue(number: 2) { id repository { name } }
        closed: issue(number: 2, state: "CLOSED") { id }
        none: issue(number: 9) { id }
        label(name: "bug") { id }
      }
      two: repository(name: "two") { issue(number: 2) { id } issues { nodes { id } } }
    }`),
    {
      one: {
        issue: { id: "2", repository: { name: "one" } },
        closed: null,
        none: null,
        label: { id: "1" },
      },
      two: { issue: { id: "3" }, issues: { nodes: [{ id: "3" }] } },
    },
  );
});

Deno.test("a lookup field is not a relation, so relations back are not ambiguous", async () => {
  const { server, data, dump } = createMockServer(SCHEMA);
  server.create("repository");
  await data("mutation { createIssue(input: { number: 1, repositoryId: 1 }) { id } }");
  deepStrictEqual(dump().repositories, [{ id: "1", issueIds: ["1"], labelIds: null }]);
});

Deno.test("a missing record of a non-null lookup is an error", async () => {
  const { errors } = createMockServer(SCHEMA, { data: DATA });
  deepStrictEqual(await errors(`{ repository(name: "two") { label(name: "bug") { id } } }`), [
    "Cannot resolve Repository.label: what Repository 2 has doesn't fit the arguments, and the " +
    "field must not be null",
  ]);
});

Deno.test("plain objects are looked up in their own lists, including promised ones", async () => {
  const { data } = createMockServer(SCHEMA, {
    resolvers: { Query: { summary: () => ({ labels: Promise.resolve(DATA.labels) }) } },
  });
  deepStrictEqual(await data(`{ summary { label(name: "idea") { id } } }`), {
    summary: { label: { id: "2" } },
  });
});

Deno.test("the user-defined model's own value of the field takes precedence", async () => {
  const { data } = createMockServer(SCHEMA, {
    models: {
      repository: Model.extend({
        issues: hasMany("issue", { inverse: "repository" }),
        issue: belongsTo("issue", { inverse: null }),
        labels: hasMany(),
      }),
      issue: Model.extend({ repository: belongsTo("repository", { inverse: "issues" }) }),
    },
    data: { ...DATA, repositories: [{ id: "1", name: "one", issueIds: ["1"], issueId: "2" }] },
  });
  const query =
    `{ repository(name: "one") { issue(number: 2) { id } one: issue(number: 1) { id } } }`;
  deepStrictEqual(await data(query), { repository: { issue: { id: "2" }, one: null } });
});
