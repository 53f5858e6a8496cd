import { deepStrictEqual, throws } from "node:assert/strict";
import { createRecord, deleteRecord, updateRecord } from "../orm/writes/write_records.ts";
import { createMutationServer, type MutationServer } from "../testing/mutation_server.ts";

const TARGETS = `
  type Query { comments: [Comment] posts: [Post] photos: [Photo] walls: [Wall] }
  union Commentable = BlogPost | Photo
  type BlogPost { id: ID! comments: [Comment!] }
  type Post { id: ID! }
  type Photo { id: ID! comments: [Comment!] }
  type Comment { id: ID! text: String about: Commentable author: Person }
  type Wall { id: ID! pins: [Commentable!] }
  type Person { id: ID! name: String comments: [Comment!] }
`;

/** Post 1 and 2, photo 1 and "p". */
function createTargets(): MutationServer {
  const server = createMutationServer(TARGETS);
  for (const id of ["1", "2"]) server.seed("blogPost", { id });
  for (const id of ["1", "p"]) server.seed("photo", { id });
  server.seed("post", { id: "only-a-post" });
  return server;
}

function create(server: MutationServer, typeName: string, input: Record<string, unknown>) {
  return createRecord(server, server.model(typeName), input);
}

Deno.test("a bare id of a polymorphic relation is looked up in the possible types", () => {
  using server = createTargets();
  deepStrictEqual(create(server, "Comment", { about: "2" }).aboutId, {
    type: "blog-post",
    id: "2",
  });
  deepStrictEqual(create(server, "Comment", { aboutId: "p" }).aboutId, { type: "photo", id: "p" });
  deepStrictEqual(server.table("blogPosts").map(({ commentIds }) => commentIds), [null, ["1"]]);
  deepStrictEqual(server.table("photos").map(({ commentIds }) => commentIds), [null, ["2"]]);
});

for (const type of ["BlogPost", "blog-post", "blogPost", "BLOG_POST"]) {
  Deno.test(`{ type, id } of a polymorphic relation accepts ${type} as the type`, () => {
    using server = createTargets();
    const { aboutId } = create(server, "Comment", { about: { type, id: 1 } });
    deepStrictEqual(aboutId, { type: "blog-post", id: "1" });
  });
}

Deno.test("a polymorphic child assigned to a parent of another type is removed from the old one", () => {
  using server = createTargets();
  create(server, "Comment", { about: "2" });
  updateRecord(server, { modelName: "photo", id: "1" }, { comments: ["1"] });
  deepStrictEqual(server.table("comments")[0]?.aboutId, { type: "photo", id: "1" });
  deepStrictEqual(server.table("blogPosts")[1]?.commentIds, []);
  updateRecord(server, { modelName: "comment", id: "1" }, { about: { type: "BlogPost", id: "1" } });
  deepStrictEqual(server.table("photos")[0]?.commentIds, []);
  deepStrictEqual(server.table("blogPosts")[0]?.commentIds, ["1"]);
});

Deno.test("a polymorphic list contains records of several types, without deleted ones", () => {
  using server = createTargets();
  create(server, "Wall", { pins: ["2", "p", { type: "Photo", id: "1" }] });
  deleteRecord(server, { modelName: "photo", id: "p" });
  deepStrictEqual(server.table("walls")[0]?.pinIds, [
    { type: "blog-post", id: "2" },
    { type: "photo", id: "1" },
  ]);
});

const REFUSED: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ author: "9" }, 'Cannot link "9" as "author" of Comment: there is no Person "9"'],
  [{ authorId: 9 }, 'Cannot link 9 as "authorId" of Comment: there is no Person "9"'],
  [{ author: { id: "9" } }, 'Cannot link "9" as "author" of Comment: there is no Person "9"'],
  [{ authorId: {} }, 'Cannot link {} as "authorId" of Comment: it takes an id'],
  [
    { author: ["1"] },
    'Cannot write "author" of Comment: it takes one record, and the input has a list',
  ],
  [
    { author: null, authorId: "1" },
    'Cannot write "author" and "authorId" of Comment: both name the same relation',
  ],
  [{ about: "9" }, 'Cannot link "9" as "about" of Comment: there is no BlogPost or Photo "9"'],
  [
    { about: "only-a-post" },
    'Cannot link "only-a-post" as "about" of Comment: there is no BlogPost or Photo "only-a-post"',
  ],
  [
    { about: { type: "Photo", id: "2" } },
    'Cannot link {"type":"Photo","id":"2"} as "about" of Comment: there is no Photo "2"',
  ],
  [
    { about: { type: "Person", id: "1" } },
    'Cannot link {"type":"Person","id":"1"} as "about" of Comment: it leads to BlogPost or Photo, not to Person',
  ],
  [
    { about: "1" },
    'Cannot link "1" as "about" of Comment: BlogPost and Photo both have a record "1", so ' +
    "pass { type, id }",
  ],
  [
    { about: { title: "new" } },
    'Cannot link {"title":"new"} as "about" of Comment: it takes an id or { type, id }',
  ],
];

for (const [input, message] of REFUSED) {
  Deno.test(`${JSON.stringify(input)} is rejected, and nothing is changed`, () => {
    using server = createTargets();
    create(server, "Person", { name: "Ada" });
    create(server, "Comment", { text: "old" });
    const before = server.dump();
    throws(() => create(server, "Person", { comments: [{ text: "new" }, input] }), { message });
    const ref = { modelName: "comment", id: "1" };
    throws(() => updateRecord(server, ref, { text: "new", ...input }), { message });
    deepStrictEqual(server.dump(), before);
  });
}

Deno.test("null in a list of ids is rejected", () => {
  using server = createTargets();
  throws(() => create(server, "Person", { comments: [null] }), {
    message: 'Cannot link null as "comments" of Person: it takes an id',
  });
});

Deno.test("the type in a seeded foreign key can have any casing", () => {
  using server = createTargets();
  server.seed("comment", { aboutId: { type: "BlogPost", id: "1" } });
  deleteRecord(server, { modelName: "blog-post", id: "1" });
  deepStrictEqual(server.table("comments")[0]?.aboutId, null);
});
