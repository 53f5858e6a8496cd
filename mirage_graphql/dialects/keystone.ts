import type { Dialect } from "./dialect.ts";

/** The API of Keystone: `updatePosts(data: [{ where: { id: 1 }, data: {} }])`. */
export const keystone: Dialect = {
  name: "keystone",
  list: {
    limit: "take",
    offset: "skip",
    position: "cursor",
    order: {
      argument: "orderBy",
      form: "{field: direction}",
      directions: { asc: "asc", desc: "desc" },
    },
    filter: {
      argument: "where",
      and: "AND",
      or: "OR",
      not: "NOT",
      related: { some: "some", every: "every", none: "none" },
      operators: {
        equals: "eq",
        not: "not eq",
        in: "in",
        notIn: "not in",
        lt: "lt",
        lte: "lte",
        gt: "gt",
        gte: "gte",
        contains: "contains",
        startsWith: "starts",
        endsWith: "ends",
      },
    },
  },
  byKey: "{record}",
  aggregate: { count: "{records}Count" },
  mutations: {
    "create{Record}": { does: "create", data: "values", gives: "record" },
    "create{Records}": { does: "create", data: "values[]", gives: "records" },
    "update{Record}": { does: "update", where: "filter", data: "values", gives: "record" },
    "update{Records}": {
      does: "update",
      "data.where": "filter",
      "data.data": "values",
      gives: "records",
    },
    "delete{Record}": { does: "delete", where: "filter", gives: "record" },
    "delete{Records}": { does: "delete", where: "filter", gives: "records" },
  },
  nested: { connect: "connect", create: "create", disconnect: "disconnect", set: "set" },
};
