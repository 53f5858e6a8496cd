import { deepStrictEqual, ok } from "node:assert/strict";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { createConnectionServer, cursor } from "../testing/connection_server.ts";
import { createMockServer } from "../testing/mock_server.ts";

Deno.test("nested connections have the parent's records, in their order", async () => {
  deepStrictEqual(
    await createConnectionServer().data(`{ teams { nodes { name
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
    await createConnectionServer().data(`{ team(id: 1) {
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
  const { data } = createConnectionServer();
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
  const { data } = createConnectionServer({
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
  const { data } = createConnectionServer({
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

Deno.test("a resolver can change a connection returned by mockGraphQLFieldResolver", async () => {
  const { data } = createConnectionServer({
    resolvers: {
      Query: {
        sorted(obj, { desc: _desc, ...args }, context, info) {
          const page = mockGraphQLFieldResolver<PersonConnection>(obj, args, context, info);
          ok(
            page.edges.every(({ node }) => node.team?.name === "Red"),
            "nodes as resolvers receive them",
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
  const { data, errors } = createConnectionServer({
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
  const { data } = createConnectionServer({
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

Deno.test("a connection has only edges and pageInfo if the schema has no other fields", async () => {
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

Deno.test("a connection has its nodes under the name that the schema uses", async () => {
  const { data } = createMockServer(
    `type PageInfo { hasNextPage: Boolean! }
     type Film { id: ID! } type FilmEdge { node: Film }
     type FilmsConnection { edges: [FilmEdge] pageInfo: PageInfo! films: [Film] latest: Film }
     type Query { allFilms(first: Int): FilmsConnection own: FilmsConnection }`,
    {
      data: { films: [{ id: "1" }, { id: "2" }] },
      resolvers: { Query: { own: () => ({ films: [{ id: "7" }], nodes: [{ id: "8" }] }) } },
    },
  );
  deepStrictEqual(
    await data("{ allFilms(first: 1) { films { id } latest { id } } own { films { id } } }"),
    { allFilms: { films: [{ id: "1" }], latest: null }, own: { films: [{ id: "7" }] } },
  );
});

Deno.test("a type with an id is not a connection, whatever its name", async () => {
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
