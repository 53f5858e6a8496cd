import { belongsTo, hasMany, Model } from "miragejs";
import { deepStrictEqual } from "node:assert/strict";
import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import { createRecord, deleteRecord, updateRecord } from "../orm/writes/write_records.ts";
import { createMutationServer, type MutationServer } from "../testing/mutation_server.ts";

const FAMILY = `
  type Query { authors: [Author] }
  type Author { id: ID! name: String posts: [Post!] }
  type Post { id: ID! title: String author: Author tags: [Tag!] }
  type Tag { id: ID! posts: [Post!] }
`;

/** The values of one foreign key in a table. */
function keys(server: MutationServer, table: string, foreignKey: string): unknown[] {
  return server.table(table).map((record) => record[foreignKey] ?? null);
}

function create(server: MutationServer, typeName: string, input: MirageRecord): MirageRecord {
  return createRecord(server, server.model(typeName), input);
}

function update(server: MutationServer, typeName: string, input: MirageRecord): MirageRecord {
  const { modelName } = server.model(typeName);
  return updateRecord(server, { modelName, id: String(input.id) }, input);
}

/** Two authors, and two posts of the first one. */
function createFamily(): MutationServer {
  const server = createMutationServer(FAMILY);
  create(server, "Author", { name: "Ada" });
  create(server, "Author", { name: "Bob" });
  create(server, "Post", { authorId: "1" });
  create(server, "Post", { author: "1" });
  return server;
}

Deno.test("a child that names its parent is added to the parent's list", () => {
  using server = createFamily();
  deepStrictEqual(keys(server, "posts", "authorId"), ["1", "1"]);
  deepStrictEqual(keys(server, "authors", "postIds"), [["1", "2"], null]);
});

for (const key of ["author", "authorId"]) {
  Deno.test(`a child assigned to a new parent by ${key} is removed from the old parent's list`, () => {
    using server = createFamily();
    update(server, "Post", { id: "1", [key]: 2 });
    deepStrictEqual(keys(server, "posts", "authorId"), ["2", "1"]);
    deepStrictEqual(keys(server, "authors", "postIds"), [["2"], ["1"]]);
  });
}

for (const key of ["posts", "postIds"]) {
  Deno.test(`a child added to a new parent's ${key} is removed from the old parent's list`, () => {
    using server = createFamily();
    update(server, "Author", { id: "2", [key]: ["1"] });
    deepStrictEqual(keys(server, "posts", "authorId"), ["2", "1"]);
    deepStrictEqual(keys(server, "authors", "postIds"), [["2"], ["1"]]);
  });

  Deno.test(`a parent created with ${key} removes them from the old parent`, () => {
    using server = createFamily();
    create(server, "Author", { [key]: ["2", "1", "2"] });
    deepStrictEqual(keys(server, "posts", "authorId"), ["3", "3"]);
    deepStrictEqual(keys(server, "authors", "postIds"), [[], null, ["2", "1"]]);
  });
}

Deno.test("a parent's new list unlinks its former children", () => {
  using server = createFamily();
  update(server, "Author", { id: "1", posts: ["2"] });
  deepStrictEqual(keys(server, "posts", "authorId"), [null, "1"]);
  update(server, "Author", { id: "1", posts: null });
  deepStrictEqual(keys(server, "posts", "authorId"), [null, null]);
  deepStrictEqual(keys(server, "authors", "postIds"), [[], null]);
});

Deno.test("null unlinks a child from its parent", () => {
  using server = createFamily();
  update(server, "Post", { id: "1", author: null });
  deepStrictEqual(keys(server, "posts", "authorId"), [null, "1"]);
  deepStrictEqual(keys(server, "authors", "postIds"), [["2"], null]);
});

Deno.test("a child that only a list refers to is removed from it when it gets a new parent", () => {
  using server = createFamily();
  server.tamper("authors", "2", { postIds: ["1"] });
  create(server, "Author", { postIds: ["1"] });
  deepStrictEqual(keys(server, "authors", "postIds"), [["2"], [], ["1"]]);
});

Deno.test("a plain update links no child, even if a list of the parent still contains it", () => {
  using server = createFamily();
  server.tamper("authors", "2", { postIds: ["1"] });
  update(server, "Author", { id: "2", name: "Bo" });
  deepStrictEqual(keys(server, "posts", "authorId"), ["1", "1"]);
});

Deno.test("numeric foreign keys of seeds are the same ids", () => {
  using server = createFamily();
  server.tamper("authors", "1", { postIds: [1, 2] });
  server.tamper("posts", "1", { authorId: 1 });
  update(server, "Post", { id: "1", author: "2" });
  deepStrictEqual(keys(server, "authors", "postIds"), [["2"], ["1"]]);
});

Deno.test("many-to-many links both sides, and removes both when one side is unlinked", () => {
  using server = createFamily();
  create(server, "Tag", { posts: ["1", "2"] });
  create(server, "Tag", { postIds: ["2"] });
  deepStrictEqual(keys(server, "posts", "tagIds"), [["1"], ["1", "2"]]);
  update(server, "Post", { id: "2", tags: ["2"] });
  deepStrictEqual(keys(server, "tags", "postIds"), [["1"], ["2"]]);
  deleteRecord(server, { modelName: "tag", id: "2" });
  deepStrictEqual(keys(server, "posts", "tagIds"), [["1"], []]);
});

Deno.test("one-to-one: a new link replaces the old one, from either side", () => {
  using server = createMutationServer(`
    type Query { users: [User] }
    type User { id: ID! passport: Passport }
    type Passport { id: ID! user: User }
  `);
  for (const _ of [1, 2]) create(server, "User", { passport: {} });
  deepStrictEqual(keys(server, "users", "passportId"), ["1", "2"]);
  update(server, "User", { id: "1", passport: "2" });
  deepStrictEqual(keys(server, "users", "passportId"), ["2", null]);
  deepStrictEqual(keys(server, "passports", "userId"), [null, "1"]);
  update(server, "Passport", { id: "1", user: "1" });
  deepStrictEqual(keys(server, "users", "passportId"), ["1", null]);
  deepStrictEqual(keys(server, "passports", "userId"), ["1", null]);
});

Deno.test("relations of a type with itself keep their two sides", () => {
  using server = createMutationServer(`
    type Query { people: [Person] }
    type Person { id: ID! manager: Person reports: [Person!] }
  `);
  create(server, "Person", { reports: [{}, {}] });
  create(server, "Person", { manager: "1" });
  deepStrictEqual(keys(server, "people", "reportIds"), [["2", "3", "4"], null, null, null]);
  update(server, "Person", { id: "2", reports: ["3"], manager: "4" });
  deepStrictEqual(keys(server, "people", "managerId"), [null, "4", "2", "1"]);
  deepStrictEqual(keys(server, "people", "reportIds"), [["4"], ["3"], null, ["2"]]);
  update(server, "Person", { id: "1", manager: "1" });
  deleteRecord(server, { modelName: "person", id: "1" });
  deepStrictEqual(keys(server, "people", "managerId"), ["4", "2", null]);
});

Deno.test("a relation that is its own inverse stays symmetric", () => {
  using server = createMutationServer(
    `
    type Query { people: [Person] }
    type Person { id: ID! spouse: Person friends: [Person!] }
  `,
    {
      models: {
        person: Model.extend({
          spouse: belongsTo("person", { inverse: "spouse" }),
          friends: hasMany("person", { inverse: "friends" }),
        }),
      },
    },
  );
  for (const _ of [1, 2, 3, 4]) create(server, "Person", {});
  update(server, "Person", { id: "1", spouse: "2", friends: ["2", "3"] });
  update(server, "Person", { id: "3", spouse: "4", friends: ["1", "4"] });
  update(server, "Person", { id: "1", spouse: "3", friends: ["2"] });
  deepStrictEqual(keys(server, "people", "spouseId"), ["3", null, "1", null]);
  deepStrictEqual(keys(server, "people", "friendIds"), [["2"], ["1"], ["4"], ["3"]]);
});

Deno.test("two relations between the same types are linked independently", () => {
  using server = createMutationServer(`
    type Query { posts: [Post] }
    type Post { id: ID! author: User editor: User }
    type User { id: ID! authoredPosts: [Post!] editedPosts: [Post!] }
  `);
  for (const _ of [1, 2]) create(server, "User", {});
  create(server, "Post", { author: "1", editor: "2" });
  update(server, "User", { id: "2", authoredPosts: ["1"] });
  deepStrictEqual(keys(server, "posts", "authorId"), ["2"]);
  deepStrictEqual(keys(server, "posts", "editorId"), ["2"]);
  deepStrictEqual(keys(server, "users", "authoredPostIds"), [[], ["1"]]);
  deepStrictEqual(keys(server, "users", "editedPostIds"), [null, ["1"]]);
});

Deno.test("a deletion clears relations that have no inverse", () => {
  using server = createMutationServer(
    `
    type Query { posts: [Post] }
    type Post { id: ID! cover: Image gallery: [Image!] }
    type Image { id: ID! }
  `,
    { models: { audit: Model.extend({ image: belongsTo() }) } },
  );
  create(server, "Post", { cover: {}, gallery: [{}, {}] });
  update(server, "Post", { id: "1", gallery: ["1", "2"] });
  server.seed("audit", { imageId: "1" });
  const gone = deleteRecord(server, { modelName: "image", id: "1" });
  deepStrictEqual(gone, { id: "1" });
  deepStrictEqual(keys(server, "posts", "coverId"), [null]);
  deepStrictEqual(keys(server, "posts", "galleryIds"), [["2"]]);
  deepStrictEqual(keys(server, "audits", "imageId"), [null]);
});

Deno.test("a user-defined relation with inverse: null has no inverse", () => {
  using server = createMutationServer(FAMILY, {
    models: {
      author: Model.extend({ posts: hasMany() }),
      post: Model.extend({ author: belongsTo("author", { inverse: null }) }),
    },
  });
  create(server, "Author", { posts: [{}] });
  create(server, "Post", { author: "1" });
  deepStrictEqual(keys(server, "posts", "authorId"), [null, "1"]);
  deepStrictEqual(keys(server, "authors", "postIds"), [["1"]]);
});

Deno.test("a user-defined polymorphic relation, which Mirage links from one side, is linked from both", () => {
  using server = createMutationServer(
    `
    type Query { notes: [Note] }
    union Subject = Book | Film
    type Book { id: ID! notes: [Note!] }
    type Film { id: ID! notes: [Note!] }
    type Note { id: ID! subject: Subject }
  `,
    {
      models: {
        book: Model.extend({ notes: hasMany() }),
        film: Model.extend({ notes: hasMany() }),
        note: Model.extend({ subject: belongsTo({ polymorphic: true }) }),
      },
    },
  );
  create(server, "Book", { notes: [{}, {}] });
  create(server, "Film", { notes: ["2"] });
  deepStrictEqual(keys(server, "notes", "subjectId"), [
    { type: "book", id: "1" },
    { type: "film", id: "1" },
  ]);
  deepStrictEqual(keys(server, "books", "noteIds"), [["1"]]);
});

Deno.test("a user-defined polymorphic relation does not change the inverse of another relation to the model", async () => {
  using server = createMutationServer(
    `type Query { notes: [Note] pictures: [Picture] people: [Person] }
     union Subject = Picture | Person
     type Note { id: ID! subject: Subject author: Person }
     type Picture { id: ID! notes: [Note!]! }
     type Person { id: ID! notes: [Note!]! }
     input NoteInput { subject: ID authorId: ID }
     type Mutation { updateNote(id: ID!, input: NoteInput!): Note }`,
    {
      models: {
        note: Model.extend({
          subject: belongsTo({ polymorphic: true }),
          author: belongsTo("person"),
        }),
        picture: Model.extend({ notes: hasMany() }),
        person: Model.extend({ notes: hasMany() }),
      },
    },
  );
  server.seed("person");
  server.seed("picture", { id: "7" });
  server.seed("note", { authorId: "1" });
  await server.run(`mutation { updateNote(id: 1, input: { subject: 7 }) { id } }`);
  deepStrictEqual([server.table("people"), server.table("pictures")], [
    [{ id: "1", noteIds: ["1"] }],
    [{ id: "7", noteIds: ["1"] }],
  ]);
});
