import { deepStrictEqual, ok } from "node:assert/strict";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { createMockServer, type MockServerOptions } from "../testing/mock_server.ts";

const connection = (type: string) => `
  type ${type}Edge { cursor: String! node: ${type} }
  type ${type}Connection {
    edges: [${type}Edge!]! nodes: [${type}] pageInfo: PageInfo! totalCount: Int!
  }`;

const PAGING = "first: Int, after: String, last: Int, before: String";

const SCHEMA = `
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  interface Animal { id: ID! name: String }
  type Cat implements Animal { id: ID! name: String }
  type Dog implements Animal { id: ID! name: String }
  union Pet = Cat | Dog
  type Person { id: ID! name: String team: Team pets(${PAGING}): PetConnection! }
  type Team {
    id: ID! name: String
    people(${PAGING}, name: String, sort: Boolean): PersonConnection!
  }
  type Report { people(${PAGING}, name: String): PersonConnection! title: String }
  ${["Person", "Team", "Animal", "Pet"].map(connection).join("\n")}
  type Query {
    people(${PAGING}, name: String, team: ID, id: [ID!]): PersonConnection!
    teams(${PAGING}): TeamConnection!
    team(id: ID): Team
    animals(${PAGING}, name: String): AnimalConnection
    pets(${PAGING}): PetConnection
    report: Report
    sorted(${PAGING}, desc: Boolean): PersonConnection!
  }
`;

const cursor = (id: string, type = "Person") =>
  btoa(String.fromCharCode(...new TextEncoder().encode(`${type}:${id}`)));

const NAMES = ["Ada", "Bo", "Cy", "Di", "Ed"];
const DATA = {
  people: NAMES.map((name, index) => ({
    id: String(index + 1),
    name,
    teamId: index < 3 ? "1" : "2",
    petIds: index === 0 ? [{ type: "dog", id: "1" }, { type: "cat", id: "1" }] : [],
  })),
  teams: [
    { id: "1", name: "Red", personIds: ["3", "1", "2"] },
    { id: "2", name: "Blue", personIds: ["4", "5"] },
    { id: "3", name: "Empty", personIds: [] },
  ],
  cats: [{ id: "1", name: "Tom" }, { id: "2", name: "Kit" }],
  dogs: [{ id: "1", name: "Rex" }, { id: "2", name: "Tom" }],
};

function mock(options: MockServerOptions<unknown> = {}) {
  return createMockServer(SCHEMA, { data: DATA, ...options });
}

const PAGES: readonly [args: string, ids: string, pages: string][] = [
  ["", "12345", "--"],
  ["(first: 2)", "12", "-n"],
  ["(first: 0)", "", "-n"],
  ["(first: 5)", "12345", "--"],
  ["(first: 99)", "12345", "--"],
  ["(last: 2)", "45", "p-"],
  ["(last: 0)", "", "p-"],
  ["(last: 99)", "12345", "--"],
  ["(first: 3, last: 2)", "23", "pn"],
  ["(first: 2, last: 3)", "12", "-n"],
  ["(first: null, last: null, after: null, before: null)", "12345", "--"],
  [`(after: "${cursor("2")}")`, "345", "p-"],
  [`(after: "${cursor("5")}")`, "", "p-"],
  [`(before: "${cursor("3")}")`, "12", "-n"],
  [`(before: "${cursor("1")}")`, "", "-n"],
  [`(first: 2, after: "${cursor("2")}")`, "34", "pn"],
  [`(first: 2, after: "${cursor("4")}")`, "5", "p-"],
  [`(last: 2, before: "${cursor("4")}")`, "23", "pn"],
  [`(last: 2, before: "${cursor("2")}")`, "1", "-n"],
  [`(after: "${cursor("1")}", before: "${cursor("5")}")`, "234", "pn"],
  [`(after: "${cursor("1")}", before: "${cursor("5")}", first: 2)`, "23", "pn"],
  [`(after: "${cursor("1")}", before: "${cursor("5")}", last: 1)`, "4", "pn"],
  [`(first: 1, before: "${cursor("3")}")`, "1", "-n"],
  [`(last: 1, after: "${cursor("3")}")`, "5", "p-"],
  [`(name: "Cy")`, "3", "--"],
  ["(team: 1, first: 2)", "12", "-n"],
  [`(team: 1, first: 2, after: "${cursor("2")}")`, "3", "p-"],
  ["(team: 2, last: 1)", "5", "p-"],
  ["(id: [5, 2], first: 1)", "2", "-n"],
  [`(name: "Nobody")`, "", "--"],
];

for (const [args, ids, pages] of PAGES) {
  Deno.test(`a connection has the page that is asked for: ${args}`, async () => {
    const { people } = await mock().data(`{ people${args} {
      edges { cursor node { id } } nodes { id }
      pageInfo { hasPreviousPage hasNextPage startCursor endCursor } } }`);
    const expected = [...ids];
    deepStrictEqual(people, {
      edges: expected.map((id) => ({ cursor: cursor(id), node: { id } })),
      nodes: expected.map((id) => ({ id })),
      pageInfo: {
        hasPreviousPage: pages[0] === "p",
        hasNextPage: pages[1] === "n",
        startCursor: expected.length === 0 ? null : cursor(expected[0] ?? ""),
        endCursor: expected.length === 0 ? null : cursor(expected.at(-1) ?? ""),
      },
    });
  });
}

Deno.test("totalCount is that of all pages together, filtered", async () => {
  deepStrictEqual(
    await mock().data(
      `{ all: people(first: 1) { totalCount } one: people(team: 2, last: 1) { totalCount }
         none: people(name: "Nobody") { totalCount } team(id: 1) { people(first: 1) { totalCount } } }`,
    ),
    {
      all: { totalCount: 5 },
      one: { totalCount: 2 },
      none: { totalCount: 0 },
      team: { people: { totalCount: 3 } },
    },
  );
});

const REFUSED: readonly [args: string, message: string][] = [
  ["(first: -1)", "Cannot page with first -1: it must be 0 or more"],
  ["(last: -1)", "Cannot page with last -1: it must be 0 or more"],
  [`(after: "x")`, `Cannot page after "x": no record of this connection has that cursor`],
  [`(before: "")`, `Cannot page before "": no record of this connection has that cursor`],
  [
    `(after: "${cursor("9")}")`,
    `Cannot page after "${cursor("9")}": no record of this connection has that cursor`,
  ],
  [
    `(after: "${cursor("1", "Team")}")`,
    `Cannot page after "${cursor("1", "Team")}": no record of this connection has that cursor`,
  ],
  [
    `(team: 2, before: "${cursor("1")}")`,
    `Cannot page before "${cursor("1")}": no record of this connection has that cursor`,
  ],
];

for (const [args, message] of REFUSED) {
  Deno.test(`a connection refuses a page that there is not: ${args}`, async () => {
    deepStrictEqual(await mock().errors(`{ people${args} { edges { cursor } } }`), [message]);
  });
}

Deno.test("the cursor of a record that was deleted is an error", async () => {
  const { server, data, errors } = mock();
  const query =
    "query ($after: String) { people(first: 1, after: $after) { pageInfo { endCursor } } }";
  const after = (await data(query)).people.pageInfo.endCursor;
  deepStrictEqual(await errors(query, { after }), []);
  server.db.people?.remove("1");
  deepStrictEqual(await errors(query, { after }), [
    `Cannot page after "${cursor("1")}": no record of this connection has that cursor`,
  ]);
});

Deno.test("ids that are not Latin-1 have cursors, of the same form", async () => {
  const people = [{ id: "ä" }, { id: "日本:1" }, { id: "🙂" }].map((one) => ({
    ...one,
    petIds: [],
  }));
  const { data } = mock({ data: { people } });
  deepStrictEqual(
    await data(
      `{ people(first: 1, after: "${cursor("日本:1")}") { edges { cursor node { id } } } }`,
    ),
    { people: { edges: [{ cursor: cursor("🙂"), node: { id: "🙂" } }] } },
  );
  deepStrictEqual(
    await data(`{ people(last: 1, before: "${cursor("日本:1")}") { nodes { id } } }`),
    { people: { nodes: [{ id: "ä" }] } },
  );
});

Deno.test("nested connections have the parent's records, in their order", async () => {
  deepStrictEqual(
    await mock().data(`{ teams { nodes { name
      people(first: 2, after: null) { nodes { id team { name } } pageInfo { hasNextPage endCursor } } } } }`),
    {
      teams: {
        nodes: [
          {
            name: "Red",
            people: {
              nodes: [{ id: "3", team: { name: "Red" } }, { id: "1", team: { name: "Red" } }],
              pageInfo: { hasNextPage: true, endCursor: cursor("1") },
            },
          },
          {
            name: "Blue",
            people: {
              nodes: [{ id: "4", team: { name: "Blue" } }, { id: "5", team: { name: "Blue" } }],
              pageInfo: { hasNextPage: false, endCursor: cursor("5") },
            },
          },
          {
            name: "Empty",
            people: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
          },
        ],
      },
    },
  );
  deepStrictEqual(
    await mock().data(`{ team(id: 1) {
      people(first: 1, after: "${cursor("3")}") { edges { cursor } }
      cy: people(name: "Cy") { nodes { id } totalCount } } }`),
    {
      team: {
        people: { edges: [{ cursor: cursor("1") }] },
        cy: { nodes: [{ id: "3" }], totalCount: 1 },
      },
    },
  );
});

Deno.test("connections of interfaces and unions: cursors name the type of each node", async () => {
  const { data } = mock();
  const query = `query ($after: String) {
    animals(first: 2, after: $after) { edges { cursor node { __typename id } } totalCount } }`;
  deepStrictEqual(await data(query, { after: cursor("1", "Cat") }), {
    animals: {
      edges: [
        { cursor: cursor("2", "Cat"), node: { __typename: "Cat", id: "2" } },
        { cursor: cursor("1", "Dog"), node: { __typename: "Dog", id: "1" } },
      ],
      totalCount: 4,
    },
  });
  deepStrictEqual(
    await data(`{ animals(name: "Tom", last: 1) { nodes { __typename id } } pets(last: 1) { nodes {
      ... on Dog { name } } pageInfo { startCursor } } }`),
    {
      animals: { nodes: [{ __typename: "Dog", id: "2" }] },
      pets: { nodes: [{ name: "Tom" }], pageInfo: { startCursor: cursor("2", "Dog") } },
    },
  );
  deepStrictEqual(
    await data(`{ people(first: 1) { nodes {
      pets(after: "${cursor("1", "Dog")}") { edges { cursor node { __typename } } } } } }`),
    {
      people: {
        nodes: [{
          pets: { edges: [{ cursor: cursor("1", "Cat"), node: { __typename: "Cat" } }] },
        }],
      },
    },
  );
});

Deno.test("connections of plain objects: their own list, that of their record, or all records", async () => {
  const { data } = mock({
    resolvers: {
      Query: {
        team: (_obj, { id }) =>
          id === "2"
            ? { id: "2", name: "Just an id" }
            : { id: "9", people: [{ id: "b", name: "Bea" }, { id: "a", name: "Abe" }] },
        report: () => ({ title: "All" }),
      },
    },
  });
  const page = "(first: 1) { edges { cursor node { name } } totalCount }";
  deepStrictEqual(
    await data(
      `{ own: team(id: 9) { people${page} } record: team(id: 2) { people${page} } report { people${page} } }`,
    ),
    {
      own: {
        people: { edges: [{ cursor: cursor("b"), node: { name: "Bea" } }], totalCount: 2 },
      },
      record: {
        people: { edges: [{ cursor: cursor("4"), node: { name: "Di" } }], totalCount: 2 },
      },
      report: {
        people: { edges: [{ cursor: cursor("1"), node: { name: "Ada" } }], totalCount: 5 },
      },
    },
  );
});

Deno.test("a resolver may return a whole connection, or a model whose connections are resolved", async () => {
  const { data } = mock({
    resolvers: {
      Query: {
        people: () => ({
          edges: [{ cursor: "mine", node: { id: "x", name: "Xi" } }],
          nodes: [],
          pageInfo: { hasPreviousPage: false, hasNextPage: true },
          totalCount: 70,
        }),
        team: (_obj, { id }, { mockSchema }) => mockSchema.teams.find(id),
      },
    },
  });
  deepStrictEqual(
    await data(
      `{ people { edges { cursor node { name } } pageInfo { hasNextPage endCursor } totalCount }
         team(id: 2) { people(last: 1) { nodes { name } totalCount } } }`,
    ),
    {
      people: {
        edges: [{ cursor: "mine", node: { name: "Xi" } }],
        pageInfo: { hasNextPage: true, endCursor: null },
        totalCount: 70,
      },
      team: { people: { nodes: [{ name: "Ed" }], totalCount: 2 } },
    },
  );
});

interface PersonConnection {
  edges: { cursor: string; node: { id: string; name: string; team: { name: string } | null } }[];
  nodes: { id: string }[];
  totalCount: number;
}

Deno.test("a resolver post-processes a connection that it got from mockGraphQLFieldResolver", async () => {
  const { data } = mock({
    resolvers: {
      Query: {
        sorted(obj, { desc: _desc, ...args }, context, info) {
          const page = mockGraphQLFieldResolver<PersonConnection>(obj, args, context, info);
          ok(
            page.edges.every(({ node }) => node.team?.name === "Red"),
            "nodes are as resolvers see",
          );
          const edges = page.edges.toReversed();
          return { ...page, edges, nodes: edges.map(({ node }) => node), totalCount: -1 };
        },
      },
    },
  });
  deepStrictEqual(
    await data(`{ sorted(first: 2, desc: true) {
      edges { cursor node { name team { name } } } nodes { id } pageInfo { endCursor } totalCount } }`),
    {
      sorted: {
        edges: [
          { cursor: cursor("2"), node: { name: "Bo", team: { name: "Red" } } },
          { cursor: cursor("1"), node: { name: "Ada", team: { name: "Red" } } },
        ],
        nodes: [{ id: "2" }, { id: "1" }],
        pageInfo: { endCursor: cursor("2") },
        totalCount: -1,
      },
    },
  );
});

Deno.test("a resolver may return the whole list of a connection, in its own order", async () => {
  const { data, errors } = mock({
    resolvers: {
      Query: {
        sorted: (_obj, _args, { mockSchema }) =>
          mockSchema.people.all().sort((a: { id: string }, b: { id: string }) =>
            Number(b.id) - Number(a.id)
          ),
        animals: async (_obj, _args, { mockSchema }) => {
          await Promise.resolve();
          return [{ __typename: "Cat", id: "9" }, mockSchema.dogs.find(1), mockSchema.cats.find(1)];
        },
      },
    },
  });
  const page = "edges { cursor node { name } } pageInfo { hasNextPage } totalCount";
  deepStrictEqual(await data(`{ sorted(first: 2, after: "${cursor("5")}") { ${page} } }`), {
    sorted: {
      edges: [
        { cursor: cursor("4"), node: { name: "Di" } },
        { cursor: cursor("3"), node: { name: "Cy" } },
      ],
      pageInfo: { hasNextPage: true },
      totalCount: 5,
    },
  });
  deepStrictEqual(
    await data(`{ animals(last: 1, before: "${cursor("1", "Cat")}") { edges { cursor } } }`),
    { animals: { edges: [{ cursor: cursor("1", "Dog") }] } },
  );
  deepStrictEqual(await errors("{ sorted(first: -2) { totalCount } }"), [
    "Cannot page with first -2: it must be 0 or more",
  ]);
});

Deno.test("resolvers for the fields of a connection and its edges are called", async () => {
  const { data } = mock({
    resolvers: {
      PersonConnection: {
        totalCount: ({ nodes, edges }: PersonConnection) => nodes.length * 100 + edges.length,
      },
      PersonEdge: {
        cursor: ({ cursor, node }: PersonConnection["edges"][number]) =>
          [cursor, node.name, node.team?.name].join("/"),
      },
    },
  });
  deepStrictEqual(
    await data("{ people(first: 1) { totalCount edges { cursor node { name } } } }"),
    {
      people: {
        totalCount: 101,
        edges: [{ cursor: `${cursor("1")}/Ada/Red`, node: { name: "Ada" } }],
      },
    },
  );
});

Deno.test("a connection has nothing but edges and pageInfo where the schema has no more", async () => {
  const { data } = createMockServer(
    `type PageInfo { hasNextPage: Boolean! startCursor: String }
     type Person { id: ID! }
     type PersonEdge { node: Person! }
     type PersonConnection { edges: [PersonEdge] pageInfo: PageInfo! }
     type ThingConnection { nodes: [Person!]! }
     type Query { people(first: Int): PersonConnection things(first: Int): ThingConnection }`,
    { data: { people: [{ id: "1" }, { id: "2" }] } },
  );
  deepStrictEqual(
    await data(
      "{ people(first: 1) { edges { node { id } } pageInfo { hasNextPage } } things(first: 1) { nodes { id } } }",
    ),
    {
      people: { edges: [{ node: { id: "1" } }], pageInfo: { hasNextPage: true } },
      things: { nodes: [{ id: "1" }] },
    },
  );
});

Deno.test("a type with an id is no connection, whatever its name", async () => {
  const { data } = createMockServer(
    `type Station { id: ID! } type RailConnection { id: ID! name: String nodes: [Station!]! }
     type Query { rails(name: String): [RailConnection!]! rail(id: ID): RailConnection }`,
    {
      data: {
        stations: [{ id: "1" }, { id: "2" }],
        railConnections: [{ id: "1", name: "North", nodeIds: ["2"] }, { id: "2", name: "South" }],
      },
    },
  );
  deepStrictEqual(await data(`{ rail(id: 1) { name nodes { id } } rails(name: "South") { id } }`), {
    rail: { name: "North", nodes: [{ id: "2" }] },
    rails: [{ id: "2" }],
  });
});
