import type { Dialect, Gives } from "./dialect.ts";

const MANY: Gives = { affectedCount: "count", records: "records" };

/** The API of pg_graphql, which Supabase uses: `updatePostCollection(set: {}, filter: {})`. */
export const pgGraphql: Dialect = {
  name: "pg_graphql",
  list: {
    first: "first",
    last: "last",
    after: "after",
    before: "before",
    offset: "offset",
    order: {
      argument: "orderBy",
      form: "{field: direction}",
      directions: {
        AscNullsFirst: "asc nulls first",
        AscNullsLast: "asc nulls last",
        DescNullsFirst: "desc nulls first",
        DescNullsLast: "desc nulls last",
      },
    },
    filter: {
      argument: "filter",
      and: "and",
      or: "or",
      not: "not",
      operators: {
        eq: "eq",
        neq: "not eq",
        in: "in",
        is: "eq",
        gt: "gt",
        gte: "gte",
        lt: "lt",
        lte: "lte",
        startsWith: "starts",
        like: "like",
        ilike: "like ignoring case",
        regex: "regex",
        iregex: "regex ignoring case",
        contains: "all",
        overlaps: "in",
      },
    },
    facts: { totalCount: "total" },
  },
  mutations: {
    "insertInto{Record}Collection": { does: "create", objects: "values[]", gives: MANY },
    "update{Record}Collection": {
      does: "update",
      set: "values",
      filter: "filter",
      atMost: "ignored",
      gives: MANY,
    },
    "deleteFrom{Record}Collection": {
      does: "delete",
      filter: "filter",
      atMost: "ignored",
      gives: MANY,
    },
  },
};
