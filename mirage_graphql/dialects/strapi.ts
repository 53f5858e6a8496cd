import type { Dialect } from "./dialect.ts";

/** The API of Strapi 5: `updatePost(documentId: "a", data: {})`. */
export const strapi: Dialect = {
  name: "strapi",
  list: {
    page: "pagination.page",
    limit: ["pagination.pageSize", "pagination.limit"],
    offset: "pagination.start",
    order: {
      argument: "sort",
      form: "field:direction",
      directions: { asc: "asc", desc: "desc" },
    },
    filter: {
      argument: "filters",
      and: "and",
      or: "or",
      not: "not",
      related: "some",
      operators: {
        eq: "eq",
        eqi: "eq ignoring case",
        ne: "not eq",
        nei: "not eq ignoring case",
        in: "in",
        notIn: "not in",
        lt: "lt",
        lte: "lte",
        gt: "gt",
        gte: "gte",
        contains: "contains",
        notContains: "not contains",
        containsi: "contains ignoring case",
        notContainsi: "not contains ignoring case",
        startsWith: "starts",
        endsWith: "ends",
        null: "null",
        notNull: "not null",
        between: "between",
      },
    },
    facts: {
      "pageInfo.total": "total",
      "pageInfo.page": "page",
      "pageInfo.pageSize": "size",
      "pageInfo.pageCount": "pages",
    },
  },
  byKey: "{record}",
  mutations: {
    "create{Record}": {
      does: "create",
      data: "values",
      status: "ignored",
      locale: "ignored",
      gives: "record",
    },
    "update{Record}": {
      does: "update",
      documentId: "key",
      data: "values",
      status: "ignored",
      locale: "ignored",
      gives: "record",
    },
    "delete{Record}": {
      does: "delete",
      documentId: "key",
      locale: "ignored",
      gives: { documentId: "id" },
    },
  },
};
