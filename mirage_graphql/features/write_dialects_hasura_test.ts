import { testWriteDialect } from "../testing/write_dialect.ts";

const SCHEMA = `
  scalar jsonb
  type Query { posts: [posts!]! authors: [authors!]! likes: [likes!]! }
  type authors { id: Int! name: String posts: [posts!]! }
  type posts { id: Int! title: String views: Int meta: jsonb author_id: Int author: authors likes: [likes!]! }
  type likes { post_id: Int! user_name: String! stars: Int post: posts! }
  input text_comparison_exp { _eq: String _in: [String!] _like: String _is_null: Boolean }
  input int_comparison_exp { _eq: Int _gt: Int _in: [Int!] _is_null: Boolean }
  input authors_bool_exp { id: int_comparison_exp name: text_comparison_exp posts: posts_bool_exp }
  input posts_bool_exp {
    _and: [posts_bool_exp!] _or: [posts_bool_exp!] _not: posts_bool_exp
    id: int_comparison_exp title: text_comparison_exp views: int_comparison_exp author: authors_bool_exp
  }
  enum posts_constraint { posts_pkey posts_title_key posts_author_id_title_key posts_odd }
  enum posts_update_column { id title views author_id }
  enum authors_constraint { authors_pkey authors_name_key }
  enum authors_update_column { id name }
  input posts_on_conflict { constraint: posts_constraint! update_columns: [posts_update_column!]! = [] where: posts_bool_exp }
  input authors_on_conflict { constraint: authors_constraint! update_columns: [authors_update_column!]! = [] }
  input posts_insert_input { id: Int title: String views: Int author_id: Int author: authors_obj_rel_insert_input meta: jsonb }
  input authors_obj_rel_insert_input { data: authors_insert_input! on_conflict: authors_on_conflict }
  input authors_insert_input { id: Int name: String posts: posts_arr_rel_insert_input }
  input posts_arr_rel_insert_input { data: [posts_insert_input!]! on_conflict: posts_on_conflict }
  input posts_set_input { title: String views: Int author_id: Int meta: jsonb }
  input posts_inc_input { views: Int other: Int }
  input posts_append_input { meta: jsonb }
  input posts_delete_key_input { meta: String }
  input posts_delete_at_path_input { meta: [String!] }
  input posts_pk_columns_input { id: Int! }
  input likes_pk_columns_input { post_id: Int! user_name: String! }
  input likes_set_input { stars: Int }
  type posts_mutation_response { affected_rows: Int! returning: [posts!]! }
  type authors_mutation_response { affected_rows: Int! returning: [authors!]! }
  type Mutation {
    insert_posts(objects: [posts_insert_input!]!, on_conflict: posts_on_conflict): posts_mutation_response
    insert_posts_one(object: posts_insert_input!, on_conflict: posts_on_conflict): posts
    insert_authors(objects: [authors_insert_input!]!, on_conflict: authors_on_conflict): authors_mutation_response
    update_posts(where: posts_bool_exp!, _set: posts_set_input, _inc: posts_inc_input, _append: posts_append_input, _prepend: posts_append_input, _delete_key: posts_delete_key_input, _delete_at_path: posts_delete_at_path_input): posts_mutation_response
    update_posts_by_pk(pk_columns: posts_pk_columns_input!, _set: posts_set_input, _inc: posts_inc_input): posts
    update_likes_by_pk(pk_columns: likes_pk_columns_input!, _set: likes_set_input): likes
    delete_posts(where: posts_bool_exp!): posts_mutation_response
    delete_likes_by_pk(post_id: Int!, user_name: String!): likes
  }
`;

const DATA = {
  authors: [{ id: 1, name: "Ada", postIds: [1, 2] }, { id: 2, name: "Bea", postIds: [3] }],
  posts: [
    { id: 1, title: "One", views: 1, authorId: 1, likeIds: [1, 2], meta: { a: 1 } },
    { id: 2, title: "Two", views: 2, authorId: 1, likeIds: [] },
    { id: 3, title: "Three", views: null, authorId: 2, likeIds: [] },
  ],
  likes: [
    { id: 1, postId: 1, post_id: 1, user_name: "x", stars: 1 },
    { id: 2, postId: 1, post_id: 1, user_name: "y", stars: 2 },
  ],
};

const POSTS = ["1 One 1 1", "2 Two 2 1", "3 Three - 2"];
const AUTHORS = ["1 Ada [1 2]", "2 Bea [3]"];

/** Post: id, title, views, author; author: id, name, posts. */
testWriteDialect({
  name: "Hasura",
  schema: SCHEMA,
  data: DATA,
  state: "{ posts { id title views author { id } } authors { id name posts { id } } }",
  rows: [
    [
      'insert_posts_one(object: { title: "New", author: { data: { name: "Cy" } } }) { id author { id name } }',
      { id: 4, author: { id: 3, name: "Cy" } },
      [...POSTS, "4 New - 3", ...AUTHORS, "3 Cy [4]"],
    ],
    [
      'insert_authors(objects: [{ name: "Cy", posts: { data: [{ title: "A" }, { title: "B" }] } }]) { affected_rows returning { id } }',
      { affected_rows: 3, returning: [{ id: 3 }] },
      [...POSTS, "4 A - 3", "5 B - 3", ...AUTHORS, "3 Cy [4 5]"],
    ],
    [
      'insert_posts(objects: [{ id: 1, title: "X", views: 9 }, { id: 8, title: "New" }], on_conflict: { constraint: posts_pkey, update_columns: [title] }) { affected_rows returning { id views } }',
      { affected_rows: 2, returning: [{ id: 1, views: 1 }, { id: 8, views: null }] },
      ["1 X 1 1", "2 Two 2 1", "3 Three - 2", "8 New - -", ...AUTHORS],
    ],
    [
      'insert_posts(objects: [{ title: "One", views: 9 }, { title: "New" }], on_conflict: { constraint: posts_title_key, update_columns: [] }) { affected_rows returning { title } }',
      { affected_rows: 1, returning: [{ title: "New" }] },
      [...POSTS, "4 New - -", ...AUTHORS],
    ],
    [
      'insert_posts_one(object: { title: "One", author_id: 1, views: 9 }, on_conflict: { constraint: posts_author_id_title_key, update_columns: [views, author_id] }) { id views }',
      { id: 1, views: 9 },
      ["1 One 9 1", "2 Two 2 1", "3 Three - 2", ...AUTHORS],
    ],
    [
      'insert_posts_one(object: { title: "One", author_id: 2 }, on_conflict: { constraint: posts_author_id_title_key, update_columns: [views] }) { id }',
      { id: 4 },
      [...POSTS, "4 One - 2", "1 Ada [1 2]", "2 Bea [3 4]"],
    ],
    [
      'insert_posts_one(object: { title: "Two", views: 9 }, on_conflict: { constraint: posts_title_key, update_columns: [views], where: { views: { _gt: 5 } } }) { id }',
      null,
      [...POSTS, ...AUTHORS],
    ],
    [
      'insert_posts_one(object: { title: "New", author: { data: { name: "Bea" }, on_conflict: { constraint: authors_name_key, update_columns: [name] } } }) { author { id } }',
      { author: { id: 2 } },
      [...POSTS, "4 New - 2", "1 Ada [1 2]", "2 Bea [3 4]"],
    ],
    [
      'insert_authors(objects: [{ name: "Cy", posts: { data: [{ id: 3, title: "X" }], on_conflict: { constraint: posts_pkey, update_columns: [] } } }]) { affected_rows }',
      { affected_rows: 1 },
      ["1 One 1 1", "2 Two 2 1", "3 Three - 3", "1 Ada [1 2]", "2 Bea []", "3 Cy [3]"],
    ],
    [
      'update_posts(where: { _or: [{ id: { _eq: 1 } }, { author: { name: { _like: "B%" } } }] }, _set: { title: "X" }, _inc: { views: 1 }) { affected_rows returning { id views } }',
      { affected_rows: 2, returning: [{ id: 1, views: 2 }, { id: 3, views: 1 }] },
      ["1 X 2 1", "2 Two 2 1", "3 X 1 2", ...AUTHORS],
    ],
    [
      "update_posts(where: { id: { _eq: 1 } }, _append: { meta: { b: 2 } }) { returning { meta } }",
      { returning: [{ meta: { a: 1, b: 2 } }] },
      [...POSTS, ...AUTHORS],
    ],
    [
      'update_posts(where: { id: { _eq: 1 } }, _delete_key: { meta: "a" }) { returning { meta } }',
      { returning: [{ meta: {} }] },
      [...POSTS, ...AUTHORS],
    ],
    [
      "update_posts(where: {}, _set: { author_id: 2 }) { affected_rows }",
      { affected_rows: 3 },
      ["1 One 1 2", "2 Two 2 2", "3 Three - 2", "1 Ada []", "2 Bea [3 1 2]"],
    ],
    [
      "update_posts_by_pk(pk_columns: { id: 2 }, _inc: { views: -2 }) { views }",
      { views: 0 },
      ["1 One 1 1", "2 Two 0 1", "3 Three - 2", ...AUTHORS],
    ],
    [
      'update_likes_by_pk(pk_columns: { post_id: 1, user_name: "y" }, _set: { stars: 5 }) { stars user_name }',
      { stars: 5, user_name: "y" },
      [...POSTS, ...AUTHORS],
    ],
    [
      'delete_likes_by_pk(post_id: 1, user_name: "y") { stars post { id } }',
      { stars: 2, post: { id: 1 } },
      [...POSTS, ...AUTHORS],
    ],
    [
      "delete_posts(where: { views: { _is_null: true } }) { affected_rows returning { id author { name } } }",
      { affected_rows: 1, returning: [{ id: 3, author: { name: "Bea" } }] },
      ["1 One 1 1", "2 Two 2 1", "1 Ada [1 2]", "2 Bea []"],
    ],
    [
      'delete_posts(where: { author: { posts: { title: { _eq: "Two" } } }, _not: { id: { _eq: 2 } } }) { affected_rows }',
      { affected_rows: 1 },
      ["2 Two 2 1", "3 Three - 2", "1 Ada [2]", "2 Bea [3]"],
    ],
    ["delete_posts(where: {}) { affected_rows }", { affected_rows: 3 }, ["1 Ada []", "2 Bea []"]],
  ],
  refused: [
    [
      'insert_posts(objects: [{ title: "New" }, { id: 1 }]) { affected_rows }',
      /^Cannot create posts "1": a record with this id exists$/,
    ],
    [
      'insert_posts_one(object: { title: "New" }, on_conflict: { constraint: posts_odd }) { id }',
      /^Cannot create posts on a conflict: nothing says which attributes "posts_odd" is about/,
    ],
    [
      "update_posts(where: { id: { _eq: 1 } }, _inc: { other: 1 }) { affected_rows }",
      /can't change "other"/,
    ],
    [
      'update_posts(where: { id: { _eq: 1 } }, _delete_at_path: { meta: ["a"] }) { affected_rows }',
      /It takes "_delete_at_path", which no rule reads/,
    ],
    ["update_posts(where: { id: { _eq: 1 } }) { affected_rows }", /needs values to update/],
    [
      "update_posts_by_pk(pk_columns: { id: 9 }, _set: {}) { id }",
      /^Cannot update posts "9": there is no/,
    ],
    [
      "delete_posts(where: { id: {} }) { affected_rows }",
      /^Cannot find posts by "id": it is empty/,
    ],
    [
      "delete_posts(where: { id: { _eq: 1, _in: null } }) { affected_rows }",
      /by "_in": it is empty or null/,
    ],
    ["delete_posts(where: { title: null }) { affected_rows }", /by "title": it is empty or null/],
  ],
});
