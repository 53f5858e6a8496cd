import { deepStrictEqual, match } from "node:assert/strict";
import { mockGraphQLFieldResolver } from "../mod.ts";
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

const WITHOUT_IDS = `
  type PageInfo { hasNextPage: Boolean! }
  type PostEdge { node: Post! cursor: String! }
  type PostConnection { edges: [PostEdge!]! nodes: [Post!]! totalCount: Int! }
  type Post { id: ID! title: String }
  type Dashboard { name: String stats: Stats panels: [Stats!] own: Stats query: Query }
  type Stats {
    count: Int top(title: String): [Post!] page(first: Int): PostConnection deeper: Stats
    last: [Post!]
  }
  type Admin { posts: [Post!] last: [Post!] stats: Stats }
  type Query {
    dashboard: Dashboard dashboards: [Dashboard!]! made: Dashboard found: Dashboard passed: Dashboard
    admin: Admin posts: [Post!]!
  }
`;

const DASHBOARDS = {
  dashboards: [{
    name: "Main",
    stats: { count: 0, deeper: { count: 1, deeper: { top: [{ id: "2", title: "Own" }] } } },
    panels: [{ count: 2 }, { top: [{ id: "2", title: "Own" }], deeper: { count: 3 } }],
  }],
  posts: [{ id: "1", title: "One" }, { id: "2", title: "Two" }],
};

const DASHBOARD = `{
  stats { ${NO_LISTS} deeper { top { title } deeper { top { title } page { totalCount } } } }
  panels { top { title } deeper { top { title } } }
}`;

const SHOWN = {
  stats: {
    count: 0,
    top: null,
    page: null,
    deeper: { top: null, deeper: { top: [{ title: "Own" }], page: null } },
  },
  panels: [{ top: null, deeper: null }, { top: [{ title: "Own" }], deeper: { top: null } }],
};

for (const conventions of ["strict", "common"] as const) {
  Deno.test(`a plain value of a record whose type has no id has no other records, with ${conventions} conventions`, async () => {
    const { data } = createMockServer(WITHOUT_IDS, { data: DASHBOARDS, conventions });
    deepStrictEqual(await data(`{ dashboard ${DASHBOARD} dashboards ${DASHBOARD} }`), {
      dashboard: SHOWN,
      dashboards: [SHOWN],
    });
  });

  Deno.test(`resolvers below the root group fields, and those below a record don't, with ${conventions} conventions`, async () => {
    const { data } = createMockServer(WITHOUT_IDS, {
      data: DASHBOARDS,
      conventions,
      resolvers: {
        Query: {
          admin: () => ({ stats: { deeper: {} } }),
          made: () => ({ stats: {}, panels: [{ deeper: {} }] }),
          found: (_source, _args, { mockSchema }) => mockSchema.find("dashboard", "1"),
          passed: mockGraphQLFieldResolver,
        },
        Dashboard: { own: () => ({ deeper: {} }) },
      },
    });
    const top = [{ title: "One" }, { title: "Two" }];
    const all = { top, page: { totalCount: 2 } };
    const lists = "top { title } page { totalCount }";
    deepStrictEqual(
      await data(`{
        admin { posts { title } stats { ${lists} deeper { ${lists} } } }
        made { stats { ${lists} } panels { top { title } deeper { ${lists} } } own { ${lists} } }
      }`),
      {
        admin: { posts: top, stats: { ...all, deeper: all } },
        made: { stats: all, panels: [{ top, deeper: all }], own: all },
      },
    );
    const none = { top: null, page: null };
    for (const name of ["dashboard", "found", "passed"]) {
      deepStrictEqual(
        await data(`{ dashboard: ${name} { own { ${lists} deeper { ${lists} } } } }`),
        { dashboard: { own: { ...none, deeper: none } } },
      );
      deepStrictEqual(await data(`{ dashboard: ${name} ${DASHBOARD} }`), { dashboard: SHOWN });
    }
  });

  Deno.test(`a field that leads to the root starts anew below a record, with ${conventions} conventions`, async () => {
    const { data } = createMockServer(WITHOUT_IDS, {
      data: DASHBOARDS,
      conventions,
      resolvers: { Query: { admin: () => ({ stats: {} }) } },
    });
    const titles = [{ title: "One" }, { title: "Two" }];
    deepStrictEqual(
      await data("{ dashboard { query { admin { posts { title } stats { top { title } } } } } }"),
      { dashboard: { query: { admin: { posts: titles, stats: { top: titles } } } } },
    );
    const authors = createMockServer(SCHEMA, {
      data: DATA,
      conventions,
      resolvers: { Query: { group: () => ({ author: { id: "7", stats: {} } }) } },
    });
    deepStrictEqual(
      await authors.data(
        "{ authors { query { group { posts { title } author { stats { top { id } } } } } } }",
      ),
      {
        authors: Array(2).fill({
          query: { group: { posts: titles, author: { stats: { top: null } } } },
        }),
      },
    );
  });
}

Deno.test("plans leave lists of records without ids to graphql-js too", () => {
  const { planned, executed } = createPlannedMock(WITHOUT_IDS, { data: DASHBOARDS });
  const query = `{ dashboard ${DASHBOARD} }`;
  deepStrictEqual(planned(query), undefined);
  deepStrictEqual(JSON.parse(JSON.stringify(executed(query).data)), { dashboard: SHOWN });
  const known = "{ dashboard { stats { count deeper { count } } panels { count } } }";
  deepStrictEqual(JSON.stringify(planned(known)), JSON.stringify(executed(known).data));
});
