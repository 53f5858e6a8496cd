import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { general } from "../mock/built_in_dialects.ts";
import { listWordsOf, type PageKey } from "./list_words.ts";
import { isPageObject, pageKeyOf, toPageRequest } from "./paging.ts";

const words = listWordsOf([general]);
const { args = [] } = buildSchema(`
  input PageInput { page: Int pageSize: Int }
  input Pagination { limit: Int start: Int }
  input PostFilter { page: Int title: String }
  input PostCursor { id: ID }
  scalar BigInt
  type Query {
    posts(
      first: Int last: Int after: String before: ID limit: Int take: Int offset: BigInt skip: Int! = 0
      page: Int perPage: Int pageSize: Int per_page: Int pageNumber: Int nextToken: String endCursor: String
      cursor: PostCursor beforeCursor: String
      paging: PageInput opts: Pagination filter: PostFilter
      title: String ids: [Int!] rank: Int after2: Boolean limitTitle: String minimum: Int
    ): Int
  }
`).getQueryType()?.getFields().posts ?? {};

const KEYS: Readonly<Record<string, PageKey | undefined>> = {
  first: "first",
  last: "last",
  after: "after",
  before: "before",
  limit: "limit",
  take: "limit",
  offset: "offset",
  skip: "offset",
  page: "page",
  perPage: "limit",
  pageSize: "limit",
  per_page: "limit",
  pageNumber: "page",
  nextToken: "after",
  endCursor: "after",
  cursor: "position",
  beforeCursor: "before",
  paging: undefined,
  opts: undefined,
  filter: undefined,
  title: undefined,
  ids: undefined,
  rank: undefined,
  after2: undefined,
  limitTitle: undefined,
  minimum: undefined,
};

for (const argument of args) {
  Deno.test(`pageKeyOf() takes "${argument.name}" as ${KEYS[argument.name]}`, () => {
    strictEqual(pageKeyOf(words, argument), KEYS[argument.name]);
  });
}

Deno.test("isPageObject() takes input objects that are named after pages, or whose type is", () => {
  deepStrictEqual(args.filter((one) => isPageObject(words, one)).map(({ name }) => name), [
    "paging",
    "opts",
  ]);
});

const NO_PAGE = { last: null, after: null, before: null, offset: 0 };

const REQUESTS: readonly [values: Partial<Record<PageKey, unknown>>, request: unknown][] = [
  [{}, undefined],
  [{ first: 2, after: "x" }, { ...NO_PAGE, first: 2, after: "x" }],
  [{ limit: 2, offset: 4 }, { ...NO_PAGE, first: 2, offset: 4 }],
  [{ limit: "2", offset: 4n }, { ...NO_PAGE, first: 2, offset: 4 }],
  [{ limit: 5, first: 3 }, { ...NO_PAGE, first: 3 }],
  [{ limit: -3 }, { ...NO_PAGE, last: 3 }],
  [{ page: 3, limit: 10 }, { ...NO_PAGE, first: 10, offset: 20, page: 3 }],
  [{ page: 2 }, { ...NO_PAGE, first: 20, offset: 20, page: 2 }],
  [{ page: 2, first: 5 }, { ...NO_PAGE, first: 5, offset: 5, page: 2 }],
  [{ page: 0, limit: 10 }, { ...NO_PAGE, first: 10, offset: 0, page: 1 }],
  [{ position: { id: 3 }, limit: 1 }, { ...NO_PAGE, first: 1, position: "3" }],
  [{ limit: "many" }, NO_PAGE],
];

for (const [values, request] of REQUESTS) {
  const text = Deno.inspect(values, { compact: true });
  Deno.test(`toPageRequest() of ${text} is the requested page`, () => {
    const given = Object.entries(values) as [PageKey, unknown][];
    deepStrictEqual(toPageRequest(new Map(given)), request);
  });
}
