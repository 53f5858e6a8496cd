import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";
import { withAsyncWarnings } from "../testing/warnings.ts";

const TAGS = `
  enum SortDirectionEnum { ASC DESC }
  enum CriterionModifier {
    EQUALS NOT_EQUALS GREATER_THAN LESS_THAN IS_NULL NOT_NULL INCLUDES_ALL INCLUDES EXCLUDES
    MATCHES_REGEX NOT_MATCHES_REGEX BETWEEN NOT_BETWEEN
  }
  input FindFilterType {
    q: String page: Int per_page: Int sort: String direction: SortDirectionEnum
  }
  input IntCriterionInput { value: Int! value2: Int modifier: CriterionModifier! }
  input StringCriterionInput { value: String! modifier: CriterionModifier! }
  input MultiCriterionInput { value: [ID!] modifier: CriterionModifier! depth: Int }
  input TagFilterType {
    name: StringCriterionInput rank: IntCriterionInput groups: MultiCriterionInput
  }
  type Group { id: ID! name: String! }
  type Tag { id: ID! name: String! rank: Int groups: [Group!]! }
  type Query { findTags(filter: FindFilterType, tag_filter: TagFilterType): [Tag!]! }
`;
const ROWS = {
  groups: [{ id: "1", name: "One" }, { id: "2", name: "Two" }],
  tags: [
    { id: "1", name: "apple", rank: 3, groupIds: ["1"] },
    { id: "2", name: "banana", rank: 1, groupIds: ["1", "2"] },
    { id: "3", name: "apricot", rank: null, groupIds: [] },
    { id: "4", name: "cherry", rank: 2, groupIds: ["2"] },
  ],
};

const CASES: readonly [args: string, ids: string][] = [
  ["filter: { page: 2, per_page: 3 }", "4"],
  ["filter: { per_page: -1 }", "1234"],
  [`filter: { q: "ap" }`, "13"],
  [`filter: { q: "ap", per_page: 1, page: 2 }`, "3"],
  [`filter: { sort: "name", direction: DESC }`, "4231"],
  [`filter: { sort: "name", direction: DESC, page: 2, per_page: 2 }`, "31"],
  [`filter: { sort: "random_8123" }`, "1234"],
  ["tag_filter: { rank: { value: 1, modifier: GREATER_THAN } }", "14"],
  ["tag_filter: { rank: { value: 0, modifier: IS_NULL } }", "3"],
  ["tag_filter: { rank: { value: 0, modifier: NOT_NULL } }", "124"],
  ["tag_filter: { rank: { value: 1, value2: 2, modifier: BETWEEN } }", "24"],
  ["tag_filter: { rank: { value: 1, value2: 2, modifier: NOT_BETWEEN } }", "1"],
  [`tag_filter: { name: { value: "an", modifier: INCLUDES } }`, "2"],
  [`tag_filter: { name: { value: "ap", modifier: EXCLUDES } }`, "24"],
  [`tag_filter: { name: { value: "^ap", modifier: MATCHES_REGEX } }`, "13"],
  [`tag_filter: { name: { value: "apple", modifier: NOT_EQUALS } }`, "234"],
  ["tag_filter: { groups: { value: [1], modifier: INCLUDES } }", "12"],
  ["tag_filter: { groups: { value: [1, 2], modifier: INCLUDES_ALL } }", "2"],
  ["tag_filter: { groups: { value: [1], modifier: EXCLUDES } }", "34"],
  [`filter: { q: "a", per_page: 1 }, tag_filter: { rank: { value: 2, modifier: LESS_THAN } }`, "2"],
];

for (const [args, ids] of CASES) {
  Deno.test(`with conventions, findTags(${args}) returns the records "${ids}"`, async () => {
    const { data } = createMockServer(TAGS, { data: ROWS, conventions: "common" });
    const { findTags } = await data(`{ findTags(${args}) { id } }`);
    strictEqual(findTags.map(({ id }: { id: string }) => id).join(""), ids);
  });
}

Deno.test("a filter inside a group of arguments filters, beside its page and order", async () => {
  const schema = `
    enum SortOrder { ASC DESC }
    input StringOperators { eq: String contains: String }
    input ProductFilterParameter { name: StringOperators }
    input ProductSortParameter { name: SortOrder }
    input ProductListOptions {
      skip: Int take: Int sort: ProductSortParameter filter: ProductFilterParameter
    }
    type Product { id: ID! name: String! }
    type ProductList { items: [Product!]! totalItems: Int! }
    type Query { products(options: ProductListOptions): ProductList! }
  `;
  const products = ["pen", "pencil", "paper", "open"].map((name, index) => ({
    id: index + 1,
    name,
  }));
  const { data } = createMockServer(schema, { data: { products }, conventions: "common" });
  deepStrictEqual(
    await data(`{
      products(options: { filter: { name: { contains: "pen" } }, sort: { name: DESC }, take: 2 }) {
        totalItems items { name }
      }
    }`),
    { products: { totalItems: 3, items: [{ name: "pencil" }, { name: "pen" }] } },
  );
});

Deno.test("an input object that names attributes filters by them, and not by a page", async () => {
  const schema = `
    input RoomWhere { page: Int from: Int size: Int name: String }
    type Room { id: ID! name: String! page: Int size: Int }
    type Query { rooms(where: RoomWhere): [Room!]! }
  `;
  const rooms = [{ id: "1", name: "a", page: 1, size: 9 }, {
    id: "2",
    name: "b",
    page: 2,
    size: 8,
  }];
  const { data, errors } = createMockServer(schema, { data: { rooms }, conventions: "common" });
  deepStrictEqual(await data("{ rooms(where: { page: 2 }) { id } }"), { rooms: [{ id: "2" }] });
  deepStrictEqual(await data("{ rooms(where: { size: 9 }) { id } }"), { rooms: [{ id: "1" }] });
  const [message = ""] = await errors("{ rooms(where: { from: 1 }) { id } }");
  match(message, /^Cannot filter Query.rooms by "from" of the argument "where"/);
});

Deno.test("a key of an enum that no attribute has keeps the order, with one warning", async () => {
  const schema = `
    enum ProductSortKeys { TITLE PRICE BEST_SELLING }
    type Product { id: ID! title: String! }
    type Query {
      products(sortKey: ProductSortKeys, reverse: Boolean): [Product!]!
      named(sortKey: String): [Product!]!
    }
  `;
  const products = [{ id: "1", title: "b" }, { id: "2", title: "a" }];
  const { data, errors } = createMockServer(schema, { data: { products }, conventions: "common" });
  const { value, warnings } = await withAsyncWarnings(async () => [
    await data("{ products(sortKey: PRICE) { id } }"),
    await data("{ products(sortKey: PRICE) { id } }"),
    await data("{ products(sortKey: TITLE) { id } }"),
  ]);
  deepStrictEqual(value.map(({ products: [first] }) => first.id), ["1", "1", "2"]);
  strictEqual(warnings.length, 1);
  match(warnings[0] ?? "", /^Cannot sort Query.products by "PRICE": Product has no such attribute/);
  strictEqual((await errors(`{ named(sortKey: "price") { id } }`)).length, 1);
});

Deno.test("a field that no attribute has is named, beside a page in the same argument", async () => {
  const schema = `
    input TagFilter { page: Int per_page: Int mood: String }
    type Tag { id: ID! name: String! }
    type Query { tags(filter: TagFilter): [Tag!]! }
  `;
  const { errors } = createMockServer(schema, { conventions: "common" });
  const [message = ""] = await errors(`{ tags(filter: { page: 1, mood: "x" }) { id } }`);
  match(message, /^Cannot filter Query.tags by "mood" of the argument "filter": Tag has no such/);
});
