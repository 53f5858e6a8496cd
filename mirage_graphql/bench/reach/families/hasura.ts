import type { Family } from "../documented_operation.ts";

const COMPARISONS = ["Int", "String", "Boolean"].map((type) => `
  input ${type}_comparison_exp {
    _eq: ${type} _neq: ${type} _gt: ${type} _gte: ${type} _lt: ${type} _lte: ${type}
    _in: [${type}!] _nin: [${type}!] _is_null: Boolean
    ${type === "String" ? "_like: String _ilike: String _nlike: String" : ""}
  }
`).join("");

const ARTICLES_ARGUMENTS = `
  where: articles_bool_exp order_by: [articles_order_by!] limit: Int offset: Int
`;

/** In the style of Hasura: tables, boolean expressions, and mutations of many rows. */
export const hasura: Family = {
  name: "Hasura",
  schema: `
    schema { query: query_root mutation: mutation_root }
    ${COMPARISONS}
    enum order_by { asc asc_nulls_first asc_nulls_last desc desc_nulls_first desc_nulls_last }
    type authors {
      id: Int!
      name: String!
      articles(${ARTICLES_ARGUMENTS}): [articles!]!
      articles_aggregate(${ARTICLES_ARGUMENTS}): articles_aggregate!
    }
    type articles {
      id: Int!
      title: String!
      rating: Int
      is_published: Boolean!
      author_id: Int
      author: authors
    }
    type articles_aggregate { aggregate: articles_aggregate_fields nodes: [articles!]! }
    type articles_aggregate_fields { count(columns: [String!], distinct: Boolean): Int! }
    type articles_mutation_response { affected_rows: Int! returning: [articles!]! }
    input authors_bool_exp {
      _and: [authors_bool_exp!] _or: [authors_bool_exp!] _not: authors_bool_exp
      id: Int_comparison_exp name: String_comparison_exp articles: articles_bool_exp
    }
    input articles_bool_exp {
      _and: [articles_bool_exp!] _or: [articles_bool_exp!] _not: articles_bool_exp
      id: Int_comparison_exp title: String_comparison_exp rating: Int_comparison_exp
      is_published: Boolean_comparison_exp author_id: Int_comparison_exp author: authors_bool_exp
    }
    input authors_order_by { id: order_by name: order_by }
    input articles_order_by {
      id: order_by title: order_by rating: order_by author: authors_order_by
    }
    input authors_insert_input { id: Int name: String articles: articles_arr_rel_insert_input }
    input articles_arr_rel_insert_input { data: [articles_insert_input!]! }
    input articles_insert_input {
      id: Int title: String rating: Int is_published: Boolean author_id: Int
    }
    input articles_set_input { title: String rating: Int is_published: Boolean author_id: Int }
    input articles_inc_input { rating: Int }
    input articles_pk_columns_input { id: Int! }
    type query_root {
      authors(where: authors_bool_exp order_by: [authors_order_by!] limit: Int offset: Int): [authors!]!
      authors_by_pk(id: Int!): authors
      articles(${ARTICLES_ARGUMENTS}): [articles!]!
      articles_by_pk(id: Int!): articles
      articles_aggregate(${ARTICLES_ARGUMENTS}): articles_aggregate!
    }
    type mutation_root {
      insert_articles(objects: [articles_insert_input!]!): articles_mutation_response
      insert_articles_one(object: articles_insert_input!): articles
      update_articles(where: articles_bool_exp! _set: articles_set_input _inc: articles_inc_input): articles_mutation_response
      update_articles_by_pk(pk_columns: articles_pk_columns_input! _set: articles_set_input): articles
      delete_articles(where: articles_bool_exp!): articles_mutation_response
      delete_articles_by_pk(id: Int!): articles
    }
  `,
  seeds: {
    authors: [{ id: 1, name: "Ada", articles: [1, 2] }, { id: 2, name: "Grace", articles: [3] }],
    articles: [
      { id: 1, title: "Engines", rating: 4, is_published: true },
      { id: 2, title: "Notes", rating: 2, is_published: false },
      { id: 3, title: "Compilers", rating: null, is_published: true },
    ],
  },
  operations: [
    {
      name: "a row by its primary key",
      query: "{ authors_by_pk(id: 1) { id name } }",
      expected: { authors_by_pk: { id: 1, name: "Ada" } },
    },
    {
      name: "comparison",
      query: "{ articles(where: {rating: {_gte: 3}}) { title rating } }",
      expected: { articles: [{ title: "Engines", rating: 4 }] },
    },
    {
      name: "pattern",
      query: '{ articles(where: {title: {_ilike: "%N%"}}, order_by: {title: desc}) { title } }',
      expected: { articles: [{ title: "Notes" }, { title: "Engines" }] },
    },
    {
      name: "null",
      query: "{ articles(where: {rating: {_is_null: true}}) { id } }",
      expected: { articles: [{ id: 3 }] },
    },
    {
      name: "or, and a relation",
      query:
        `{ articles(where: {_or: [{author: {name: {_eq: "Grace"}}}, {rating: {_lt: 3}}]}) { id } }`,
      expected: { articles: [{ id: 2 }, { id: 3 }] },
    },
    {
      name: "nested page",
      query: `{ authors(order_by: {name: desc}) {
        name articles(order_by: {rating: asc}, limit: 1, offset: 0) { title }
      } }`,
      expected: {
        authors: [
          { name: "Grace", articles: [{ title: "Compilers" }] },
          { name: "Ada", articles: [{ title: "Notes" }] },
        ],
      },
    },
    {
      name: "aggregate",
      query: `{ articles_aggregate(where: {is_published: {_eq: true}}) {
        aggregate { count } nodes { id }
      } }`,
      expected: { articles_aggregate: { aggregate: { count: 2 }, nodes: [{ id: 1 }, { id: 3 }] } },
    },
    {
      name: "insert",
      query: `mutation { insert_articles(objects: [
        {title: "One", author_id: 2, is_published: true}, {title: "Two", is_published: false}
      ]) { affected_rows returning { title author { name } } } }`,
      expected: {
        insert_articles: {
          affected_rows: 2,
          returning: [{ title: "One", author: { name: "Grace" } }, { title: "Two", author: null }],
        },
      },
    },
    {
      name: "insert one",
      query:
        `mutation { insert_articles_one(object: {title: "One", is_published: true}) { title } }`,
      expected: { insert_articles_one: { title: "One" } },
      then: "{ articles_aggregate { aggregate { count } } }",
      expectedThen: { articles_aggregate: { aggregate: { count: 4 } } },
    },
    {
      name: "update by primary key",
      query:
        `mutation { update_articles_by_pk(pk_columns: {id: 2}, _set: {title: "New"}) { id title } }`,
      expected: { update_articles_by_pk: { id: 2, title: "New" } },
    },
    {
      name: "update where",
      query: `mutation { update_articles(where: {is_published: {_eq: true}}, _set: {rating: 5}) {
        affected_rows
      } }`,
      expected: { update_articles: { affected_rows: 2 } },
      then: "{ articles { rating } }",
      expectedThen: { articles: [{ rating: 5 }, { rating: 2 }, { rating: 5 }] },
    },
    {
      name: "delete by primary key",
      query: "mutation { delete_articles_by_pk(id: 1) { id } }",
      expected: { delete_articles_by_pk: { id: 1 } },
      then: "{ articles { id } }",
      expectedThen: { articles: [{ id: 2 }, { id: 3 }] },
    },
  ],
};
