import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  scalar JSON
  enum Color { RED GREEN }
  type Cell { value: Int tags: [String!] }
  type Board {
    id: ID! grid: [[Int!]!]! deep: [[[String]]] colors: [[Color]] json: JSON jsons: [JSON]
    cells: [[Cell!]!] flat: [Cell!]! center: Cell
    groups: [[Person!]!]
  }
  type Person { id: ID! name: String }
  type Query {
    boards: [Board!]! board: Board people: [Person!]!
    matrix: [[Int!]!]! teams: [[Person!]!]! numbers: [Int!] word: String
  }
`;

const BOARD = {
  id: "1",
  grid: [[1, 2], [], [3]],
  deep: [[["a", null], null], null],
  colors: [["RED", null], ["GREEN"]],
  json: { any: [1, { deep: true }] },
  jsons: [[1], { a: null }, null],
  cells: [[{ value: 1, tags: ["x"] }, { value: 2 }], []],
  flat: [{ value: 3 }, { value: 4, tags: [] }],
  center: { value: 5, tags: ["c"] },
};

Deno.test("lists of lists of scalars and enums are the record's, with their nulls", async () => {
  const { data } = createMockServer(SCHEMA, { data: { boards: [BOARD] } });
  deepStrictEqual(await data("{ board { grid deep colors json jsons } boards { grid } }"), {
    board: {
      grid: BOARD.grid,
      deep: BOARD.deep,
      colors: BOARD.colors,
      json: BOARD.json,
      jsons: BOARD.jsons,
    },
    boards: [{ grid: BOARD.grid }],
  });
});

Deno.test("embedded objects, their lists and lists of lists are the record's", async () => {
  const { data } = createMockServer(SCHEMA, { data: { boards: [BOARD] } });
  deepStrictEqual(
    await data("{ board { cells { value tags } flat { value tags } center { value } } }"),
    {
      board: {
        cells: [[{ value: 1, tags: ["x"] }, { value: 2, tags: null }], []],
        flat: [{ value: 3, tags: null }, { value: 4, tags: [] }],
        center: { value: 5 },
      },
    },
  );
});

Deno.test("lists of lists from resolvers: scalars, objects, models, collections", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: { people: [{ id: "1", name: "Ada" }, { id: "2", name: "Zoë" }], boards: [BOARD] },
    resolvers: {
      Query: {
        matrix: () => [[1], [], [2, 3]],
        teams: (_obj, _args, { mockSchema }) => [
          mockSchema.people.all(),
          [mockSchema.people.find(2)],
          [{ id: "9", name: "Plain" }],
        ],
      },
      Board: {
        groups: (_obj, _args, { mockSchema }) => [mockSchema.people.where({ name: "Ada" })],
      },
    },
  });
  deepStrictEqual(await data("{ matrix teams { id name } board { groups { name } } }"), {
    matrix: [[1], [], [2, 3]],
    teams: [
      [{ id: "1", name: "Ada" }, { id: "2", name: "Zoë" }],
      [{ id: "2", name: "Zoë" }],
      [{ id: "9", name: "Plain" }],
    ],
    board: { groups: [[{ name: "Ada" }]] },
  });
});

Deno.test("a list of scalars at the root is that of the root value, or null", async () => {
  deepStrictEqual(await createMockServer(SCHEMA).data("{ numbers word }"), {
    numbers: null,
    word: null,
  });
  const { data } = createMockServer(SCHEMA, { root: { numbers: [1, 2], word: () => "hi" } });
  deepStrictEqual(await data("{ numbers word }"), { numbers: [1, 2], word: "hi" });
});

Deno.test("a list without records is empty", async () => {
  deepStrictEqual(
    await createMockServer(SCHEMA).data("{ people { id } boards { id } board { id } }"),
    {
      people: [],
      boards: [],
      board: null,
    },
  );
});
