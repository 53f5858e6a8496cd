import type { Dialect } from "./dialect.ts";

/** The API that AWS Amplify makes of models: `updatePost(input: { id: 1 }, condition: {})`. */
export const amplify: Dialect = {
  name: "amplify",
  list: {
    limit: "limit",
    after: "nextToken",
    order: { direction: "sortDirection", directions: { ASC: "asc", DESC: "desc" } },
    filter: {
      argument: "filter",
      and: "and",
      or: "or",
      not: "not",
      operators: {
        eq: "eq",
        ne: "not eq",
        lt: "lt",
        le: "lte",
        gt: "gt",
        ge: "gte",
        between: "between",
        beginsWith: "starts",
        contains: "contains",
        notContains: "not contains",
        attributeExists: "not null",
      },
    },
    nodes: "items",
    facts: { nextToken: "next cursor" },
  },
  byKey: "get{Record}",
  mutations: {
    "create{Record}": {
      does: "create",
      input: "values",
      condition: "condition",
      gives: "record",
    },
    "update{Record}": {
      does: "update",
      input: "values",
      "input.id": "key",
      condition: "condition",
      gives: "record",
    },
    "delete{Record}": {
      does: "delete",
      "input.id": "key",
      condition: "condition",
      gives: "record",
    },
  },
};
