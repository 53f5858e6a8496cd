import { listOf, someCount, someText } from "../documented_operation.ts";
import type { RealSchema } from "./real_schema.ts";

/** GitHub's API: 1,700 types, global ids, connections everywhere. */
export const github: RealSchema = {
  name: "GitHub",
  package: "@octokit/graphql-schema@15.26.1",
  paths: ["schema.json"],
  operations: [
    {
      name: "viewer",
      query: "query { viewer { login name } }",
      expected: { viewer: { login: someText } },
    },
    {
      name: "user by login",
      query:
        "query($login: String!) { user(login: $login) { login repositories(first: 2) { totalCount nodes { name } } } }",
      variables: (known) => ({ login: known.values(["User"], "login")[0] }),
      expected: { user: { login: someText, repositories: { totalCount: someCount } } },
    },
    {
      name: "repository by owner and name",
      query: `query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {
        name issues(last: 2, states: CLOSED) { edges { node { title url labels(first: 5) { edges { node { name } } } } } }
      } }`,
      variables: (known) => ({
        owner: known.values(["User", "Organization"], "login")[0],
        name: known.values(["Repository"], "name")[0],
      }),
      expected: { repository: (value: unknown) => value === null || typeof value === "object" },
    },
    {
      name: "node by id",
      query: "query($id: ID!) { node(id: $id) { __typename id } }",
      variables: (known) => ({ id: known.ids(["Issue"])[0] }),
      expected: { node: { __typename: someText, id: someText } },
    },
    {
      name: "nodes by ids",
      query: "query($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }",
      variables: (known) => ({ ids: known.ids(["Issue"]).slice(0, 2) }),
      expected: { nodes: listOf({ id: someText }, 2) },
    },
    {
      name: "search",
      query: `query { search(query: "is:open", type: ISSUE, first: 3) {
        issueCount edges { node { __typename ... on Issue { title } } }
      } }`,
      expected: {
        search: { issueCount: someCount, edges: (edges: unknown) => Array.isArray(edges) },
      },
    },
    {
      name: "topic",
      query: "query($name: String!) { topic(name: $name) { name stargazerCount } }",
      variables: (known) => ({ name: known.values(["Topic"], "name")[0] }),
      expected: { topic: { name: someText } },
    },
    {
      name: "licenses",
      query: "query { licenses { key name spdxId } codesOfConduct { key } }",
      expected: { licenses: listOf({ name: someText }) },
    },
    {
      name: "rate limit",
      query: "query { rateLimit { limit cost remaining resetAt } }",
      expected: { rateLimit: { limit: someCount, remaining: someCount } },
    },
    {
      name: "security advisories in an order",
      query:
        `query { securityAdvisories(first: 2, orderBy: {field: PUBLISHED_AT, direction: DESC}) {
        nodes { ghsaId summary } pageInfo { hasNextPage } totalCount
      } }`,
      expected: {
        securityAdvisories: {
          nodes: listOf({ ghsaId: someText }, 2),
          pageInfo: { hasNextPage: true },
          totalCount: someCount,
        },
      },
    },
    {
      name: "create an issue",
      query:
        `mutation($id: ID!) { createIssue(input: {repositoryId: $id, title: "A bug", clientMutationId: "1"}) {
        clientMutationId issue { title repository { id } }
      } }`,
      variables: (known) => ({ id: known.ids(["Repository"])[0] }),
      expected: {
        createIssue: {
          clientMutationId: "1",
          issue: { title: "A bug", repository: { id: someText } },
        },
      },
    },
    {
      name: "update an issue",
      query:
        `mutation($id: ID!) { updateIssue(input: {id: $id, title: "Fixed"}) { issue { title } } }`,
      variables: (known) => ({ id: known.ids(["Issue"])[1] }),
      expected: { updateIssue: { issue: { title: "Fixed" } } },
    },
    {
      name: "create a label",
      query:
        `mutation($id: ID!) { createLabel(input: {repositoryId: $id, name: "bug", color: "ff0000"}) {
        label { name color }
      } }`,
      variables: (known) => ({ id: known.ids(["Repository"])[0] }),
      expected: { createLabel: { label: { name: "bug", color: "ff0000" } } },
    },
    {
      name: "delete an issue",
      query:
        `mutation($id: ID!) { deleteIssue(input: {issueId: $id, clientMutationId: "2"}) { clientMutationId } }`,
      variables: (known) => ({ id: known.ids(["Issue"])[2] }),
      expected: { deleteIssue: { clientMutationId: "2" } },
    },
  ],
};
