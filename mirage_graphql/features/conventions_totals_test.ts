import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCENES = `
  type Scene { id: ID! title: String duration: Float }
  type FindScenesResultType { count: Int! duration: Float! filesize: Float! scenes: [Scene!]! }
  input FindFilterType { page: Int per_page: Int }
  type Stats { count: Int! scenes: [Scene!]! }
  type Disk { count: Int! free: Float! scenes: [Scene!]! }
  type Query {
    disk: Disk
    findScenes(filter: FindFilterType): FindScenesResultType!
    scenes(limit: Int): [Scene!]!
    stats: Stats!
  }
`;
const SCENE_ROWS = [10, 20, 30, 40].map((duration, index) => ({
  id: String(index + 1),
  title: `Scene ${index + 1}`,
  duration,
}));

Deno.test("a type with a count, other numbers and a list is a page, whose numbers are about all pages", async () => {
  const { data } = createMockServer(SCENES, {
    data: { scenes: SCENE_ROWS },
    ...{ conventions: "common", defaults: "generate" },
  });
  deepStrictEqual(
    await data(`{
      findScenes(filter: { page: 2, per_page: 3 }) { count duration filesize scenes { id } }
    }`),
    { findScenes: { count: 4, duration: 100, filesize: 0, scenes: [{ id: "4" }] } },
  );
  deepStrictEqual(await data(`{ findScenes(filter: { per_page: -1 }) { count scenes { id } } }`), {
    findScenes: { count: 4, scenes: SCENE_ROWS.map(({ id }) => ({ id })) },
  });
});

Deno.test("a page size that is an error with unknown arguments counts for a page with totals", async () => {
  const { data, server } = createMockServer(SCENES, {
    data: { scenes: SCENE_ROWS },
    ...{ conventions: "common", unknownArguments: "error" },
  });
  const { findScenes } = await data("{ findScenes(filter: { per_page: 1 }) { scenes { id } } }");
  deepStrictEqual(findScenes, { scenes: [{ id: "1" }] });
  strictEqual(server.db.findScenesResultTypes, undefined);
});

const FEED = `
  type Link { id: ID! url: String! description: String! }
  type Feed { id: ID! links: [Link!]! count: Int! }
  enum Sort { asc desc }
  input LinkOrderByInput { description: Sort url: Sort }
  type Query { feed(filter: String, skip: Int, take: Int, orderBy: LinkOrderByInput): Feed! }
`;
const LINKS = ["d", "c", "b", "a"].map((description, index) => ({
  id: String(index + 1),
  url: `https://example.com/${description}`,
  description,
}));

Deno.test("a type with an id that only one field with arguments of a page returns is a page", async () => {
  const { data } = createMockServer(FEED, { data: { links: LINKS }, conventions: "common" });
  const { first, second, found } = await data(`{
    first: feed(take: 2, orderBy: { description: asc }) { id links { description } count }
    second: feed(take: 2, skip: 2, orderBy: { description: asc }) { id links { description } }
    found: feed(filter: "https://example.com/c") { links { id } count }
  }`);
  deepStrictEqual(first.links, [{ description: "a" }, { description: "b" }]);
  strictEqual(first.count, 4);
  deepStrictEqual(second.links, [{ description: "c" }, { description: "d" }]);
  strictEqual(first.id === second.id, false);
  deepStrictEqual(found, { links: [{ id: "2" }], count: 1 });
});

Deno.test("a type with an id that two fields return, or that a list has, keeps its records", async () => {
  const schema = `
    type Link { id: ID! url: String! }
    type Board { id: ID! links: [Link!]! count: Int! }
    type Query { board(take: Int): Board boards: [Board!]! }
  `;
  const { data } = createMockServer(schema, {
    data: { links: [{ id: "1", url: "a" }], boards: [{ id: "7", linkIds: ["1"], count: 12 }] },
    conventions: "common",
  });
  deepStrictEqual(await data("{ boards { id count links { id } } }"), {
    boards: [{ id: "7", count: 12, links: [{ id: "1" }] }],
  });
});

Deno.test("without the convention of connections, a type with totals has records", async () => {
  const { data } = createMockServer(SCENES, {
    data: { findScenesResultTypes: [{ count: 9, duration: 1, filesize: 2 }] },
  });
  deepStrictEqual(await data("{ findScenes { count } }"), { findScenes: { count: 9 } });
});

Deno.test("a type with totals that no argument chooses from has records", async () => {
  const { data } = createMockServer(SCENES, {
    data: { scenes: SCENE_ROWS, disks: [{ count: 1, free: 0.5, sceneIds: ["2"] }] },
    conventions: "common",
  });
  deepStrictEqual(await data("{ disk { count free scenes { id } } }"), {
    disk: { count: 1, free: 0.5, scenes: [{ id: "2" }] },
  });
});
