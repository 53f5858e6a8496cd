import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { buildSchema, isObjectType } from "graphql";
import { general } from "../dialects/general.ts";
import { createShapeOf } from "../schema/shapes.ts";
import { directionOf, parseSortKey } from "./sort_key.ts";
import { createTarget } from "./targets.ts";

const schema = buildSchema(`
  type Post { id: ID! title: String createdAt: String descNote: String author: Author comments: [Comment!] }
  type Author { id: ID! name: String posts: [Post!] }
  type Comment { id: ID! }
  type Query { posts: [Post] }
`);
const post = schema.getType("Post");
ok(isObjectType(post));
const target = createTarget({
  graphQLSchema: schema,
  shapeOf: createShapeOf(schema),
  conventions: { dialects: [general] },
  mirageSchema: { toCollectionName: (name) => `${name}s` },
}, [post]);

/** Keys, and the path that they sort by, with `-` if descending and `#` if records are counted. */
const KEYS: Readonly<Record<string, string | undefined>> = {
  title: "title",
  TITLE: "title",
  title_ASC: "title",
  TITLE_DESC: "-title",
  "title:desc": "-title",
  "-title": "-title",
  "+title": "title",
  DESC_TITLE: "-title",
  createdAt_desc: "-createdAt",
  DESC_NOTE: "descNote",
  DESC_NOTE_DESC: "-descNote",
  "author.name": "author.name",
  AUTHOR_BY_AUTHOR_ID__NAME_DESC: "-author.name",
  author__name: "author.name",
  COMMENTS_COUNT: "#comments",
  comments: "#comments",
  AUTHOR_POSTS_COUNT_DESC: "-#author.posts",
  NATURAL: "",
  PRIMARY_KEY_DESC: "-",
  NEWEST: "-createdAt",
  OLDEST_FIRST: "createdAt",
  RELEVANCE: "any",
  missing: undefined,
  TITLE_SIZE: undefined,
};

for (const [text, expected] of Object.entries(KEYS)) {
  Deno.test(`parseSortKey("${text}") sorts by ${expected === "" ? "nothing" : expected}`, () => {
    const key = parseSortKey(target, text);
    const shown = key === undefined || key === "any" ? key : [
      key.isDescending ? "-" : "",
      key.isCount ? "#" : "",
      key.path.map(({ name }) => name).join("."),
    ].join("");
    strictEqual(shown, expected);
  });
}

const DIRECTIONS: readonly [value: unknown, direction: unknown][] = [
  ["ASC", { isDescending: false }],
  ["desc", { isDescending: true }],
  ["Descending", { isDescending: true }],
  ["DescNullsLast", { isDescending: true, nulls: "last" }],
  ["asc_nulls_first", { isDescending: false, nulls: "first" }],
  [1, { isDescending: false }],
  [-1, { isDescending: true }],
  [0, undefined],
  ["title", undefined],
  ["title_asc", undefined],
  ["", undefined],
  [null, undefined],
  [{ sort: "asc" }, undefined],
];

for (const [value, direction] of DIRECTIONS) {
  Deno.test(`directionOf(${JSON.stringify(value)}) is ${JSON.stringify(direction)}`, () => {
    deepStrictEqual(directionOf(target.words, value), direction);
  });
}
