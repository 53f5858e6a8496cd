import type { Dialect, Gives } from "./dialect.ts";

const MANY: Gives = { affected_rows: "count", returning: "records" };

/** The API that Hasura makes of a database: `update_posts(where: { id: { _eq: 1 } }, _set: {})`. */
export const hasura: Dialect = {
  name: "hasura",
  list: {
    limit: "limit",
    offset: "offset",
    order: {
      argument: "order_by",
      form: "{field: direction}",
      directions: {
        asc: "asc",
        asc_nulls_first: "asc nulls first",
        asc_nulls_last: "asc nulls last",
        desc: "desc",
        desc_nulls_first: "desc nulls first",
        desc_nulls_last: "desc nulls last",
      },
    },
    filter: {
      argument: "where",
      and: "_and",
      or: "_or",
      not: "_not",
      related: "some",
      operators: {
        _eq: "eq",
        _neq: "not eq",
        _in: "in",
        _nin: "not in",
        _gt: "gt",
        _gte: "gte",
        _lt: "lt",
        _lte: "lte",
        _like: "like",
        _nlike: "not like",
        _ilike: "like ignoring case",
        _nilike: "not like ignoring case",
        _similar: "like",
        _nsimilar: "not like",
        _regex: "regex",
        _nregex: "not regex",
        _iregex: "regex ignoring case",
        _niregex: "not regex ignoring case",
        _is_null: "null",
        _contains: "contains",
      },
    },
  },
  byKey: "{records}_by_pk",
  aggregate: {
    field: "{records}_aggregate",
    value: "aggregate",
    nodes: "nodes",
    functions: { count: "count", sum: "sum", avg: "avg", min: "min", max: "max" },
  },
  mutations: {
    "insert_{records}": {
      does: "create",
      objects: "values[]",
      on_conflict: "conflict",
      gives: MANY,
    },
    "insert_{records}_one": {
      does: "create",
      object: "values",
      on_conflict: "conflict",
      gives: "record",
    },
    "update_{records}": {
      does: "update",
      where: "filter",
      _set: "values",
      "_*": "change",
      gives: MANY,
    },
    "update_{records}_by_pk": {
      does: "update",
      pk_columns: "key",
      _set: "values",
      "_*": "change",
      gives: "record",
    },
    "delete_{records}": { does: "delete", where: "filter", gives: MANY },
    "delete_{records}_by_pk": { does: "delete", "*": "key", gives: "record" },
  },
  nested: { data: "create", on_conflict: "conflict" },
  changes: {
    _inc: "increment",
    _append: "append",
    _prepend: "prepend",
    _delete_key: "deleteKey",
    _delete_elem: "deleteElement",
  },
};
