import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";

const SCHEMA = `
  type PageInfo { hasNextPage: Boolean! }
  type PostEdge { node: Post! cursor: String! }
  type PostConnection { edges: [PostEdge!]! nodes: [Post!]! totalCount: Int! }
  type Post { id: ID! title: String stats: Stats }
  type Stats {
    count: Int top(title: String): [Post!] page(first: Int): PostConnection topCount: Int
    required: [Post!]! deeper: Stats
  }
  type Group { posts: [Post!]! stats: Stats groups: Group author: Author }
  type Author { id: ID! name: String stats: Stats group: Group posts: [Post!]! query: Query }
  type Query { authors: [Author!]! posts: [Post!]! viewer: Author group: Group node: Post }
`;

const DATA = {
  authors: [
    { id: "1", name: "Ada", stats: { count: 0, deeper: { count: 1 } }, postIds: ["1"] },
    { id: "2", name: "Eve", stats: { count: 2, top: [{ id: "2", title: "Own" }] } },
  ],
  posts: [{ id: "1", title: "One", stats: { count: 3 } }, { id: "2", title: "Two" }],
};

const NO_LISTS = "count top { title } page { totalCount nodes { title } }";

for (const conventions of ["strict", "common"] as const) {
  Deno.test(`a plain value of a record without its list has none, with ${conventions} conventions`, async () => {
    const { data, errors } = createMockServer(SCHEMA, { data: DATA, conventions });
    deepStrictEqual(await data(`{ authors { stats { ${NO_LISTS} deeper { top { title } } } } }`), {
      authors: [
        { stats: { count: 0, top: null, page: null, deeper: { top: null } } },
        { stats: { count: 2, top: [{ title: "Own" }], page: null, deeper: null } },
      ],
    });
    deepStrictEqual(await data("{ authors { posts { stats { top { id } } } } }"), {
      authors: [{ posts: [{ stats: { top: null } }] }, { posts: [] }],
    });
    const [message = ""] = await errors("{ authors { stats { required { id } } } }");
    match(message, /^Cannot resolve Stats.required: the Stats has no "required"/);
  });

  Deno.test(`an object below a record never shows everyone's records, with ${conventions} conventions`, async () => {
    const { data } = createMockServer(SCHEMA, {
      data: DATA,
      conventions,
      resolvers: {
        Query: { viewer: () => ({ id: "7", stats: {} }) },
        Author: { group: () => ({ stats: {} }) },
      },
    });
    deepStrictEqual(
      await data(`{ viewer { stats { ${NO_LISTS} } group { stats { top { id } } } } }`),
      {
        viewer: {
          stats: { count: null, top: null, page: null },
          group: { stats: { top: null } },
        },
      },
    );
  });

  Deno.test(`an object without id that only groups fields has all records, with ${conventions} conventions`, async () => {
    const { data } = createMockServer(SCHEMA, {
      data: DATA,
      conventions,
      resolvers: { Query: { group: () => ({ stats: {}, groups: { stats: {} } }) } },
    });
    const titles = [{ title: "One" }, { title: "Two" }];
    const stats = { top: titles, page: { totalCount: 2 } };
    deepStrictEqual(
      await data(`{ group {
        posts { title } stats { top { title } page { totalCount } }
        groups { posts { title } stats { top { title } page { totalCount } } }
      } }`),
      { group: { posts: titles, stats, groups: { posts: titles, stats } } },
    );
    deepStrictEqual(await data("{ authors { query { posts { title } } } }"), {
      authors: [{ query: { posts: titles } }, { query: { posts: titles } }],
    });
  });
}

Deno.test("counts of a plain value of a record count nothing, and generated lists are empty", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    conventions: "common",
    defaults: "generate",
  });
  deepStrictEqual(await data("{ authors { stats { topCount required { id } } } }"), {
    authors: [
      { stats: { topCount: 0, required: [] } },
      { stats: { topCount: 1, required: [] } },
    ],
  });
});

Deno.test("plans leave such lists to graphql-js, and read those that are there", () => {
  const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
  const query = "{ authors { stats { top { title } } } }";
  deepStrictEqual(planned(query), undefined);
  deepStrictEqual(JSON.parse(JSON.stringify(executed(query).data)), {
    authors: [{ stats: { top: null } }, { stats: { top: [{ title: "Own" }] } }],
  });
});
