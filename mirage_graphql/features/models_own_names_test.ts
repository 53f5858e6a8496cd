import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { createMockServer } from "../testing/mock_server.ts";
import { startMirage } from "../testing/model_server.ts";

const TABLES: { what: string; types: string[]; host?: string; tables: string[] }[] = [
  {
    what: "two types of one model",
    types: ["BlogPost", "blog_post"],
    tables: ["blogPosts", "blogPostTypes"],
  },
  {
    what: "two types of one user-defined model",
    types: ["BlogPost", "blog_post"],
    host: "blogPost",
    tables: ["blogPosts", "blogPostTypes"],
  },
  {
    what: "two types of one table",
    types: ["People", "Person"],
    tables: ["peopleRecords", "people"],
  },
  {
    what: "three types of one table",
    types: ["Datum", "Data", "data"],
    tables: ["data", "dataRecords", "dataTypes"],
  },
  {
    what: "a type with the table of another user-defined model",
    types: ["Person"],
    host: "people",
    tables: ["personRecords"],
  },
  {
    what: "a type whose table's name is Mirage's own",
    types: ["RegisterModel"],
    tables: ["registerModelRecords"],
  },
  {
    what: "types whose tables would overwrite Mirage's list of tables and its ids",
    types: ["Collection", "IdentityManager"],
    tables: ["collectionRecords", "identityManagerRecords"],
  },
  {
    what: "types named like members of every object",
    types: ["Constructor", "ToString", "valueOf"],
    tables: ["constructorTypes", "toStringTypes", "valueOfTypes"],
  },
  { what: "a type without a letter", types: ["_"], tables: ["types"] },
];

for (const { what, types, host, tables } of TABLES) {
  Deno.test(`each type has its own table: ${what}`, async () => {
    const typeDefs = types.map((name, index) => `
      type ${name} { id: ID! name: String! next: ${types[(index + 1) % types.length]} }
      extend type Query { all${index}: [${name}!]! one${index}(id: ID!): ${name} }
      input Input${index} { name: String! nextId: ID }
      extend type Mutation { create${index}(input: Input${index}!): ${name} }
    `);
    const sdl = `type Query type Mutation ${typeDefs.join("")}`;
    const models = host === undefined ? {} : { [host]: Model };
    const { data, dump, server } = createMockServer(sdl, { models });
    for (const index of types.keys()) {
      await data(`mutation { create${index}(input: { name: "${types[index]}" }) { name } }`);
    }
    for (const [index, name] of types.entries()) {
      deepStrictEqual(await data(`{ all${index} { id name } one${index}(id: 1) { name } }`), {
        [`all${index}`]: [{ id: "1", name }],
        [`one${index}`]: { name },
      });
    }
    deepStrictEqual(
      tables.map((table) => dump()[table]?.map(({ name }) => name)),
      types.map((name) => [name]),
    );
    strictEqual(Array.isArray(server.db[tables[0]!]), true);
  });
}

Deno.test("another server keeps Mirage's names of tables", () => {
  createMockServer("type Query { n: Int } type Cards { id: ID! } type Card { id: ID! }");
  using mirage = startMirage();
  const models = mirage.ensure("type Query { n: Int } type Cards { id: ID! }");
  strictEqual(models.ofType("Cards")?.collectionName, "cards");
  strictEqual(mirage.mockSchema.toCollectionName("cards"), "cards");
});

Deno.test("Mirage's own API works on a table with a distinct name", async () => {
  const { data, server } = createMockServer(`
    type Collection { id: ID! name: String items: [Item!]! }
    type Item { id: ID! collection: Collection }
    type Query { collections: [Collection!]! }
  `);
  const collection = server.create("collection", { name: "Old" } as object);
  server.create("item", { collection } as object);
  deepStrictEqual(await data("{ collections { name items { id } } }"), {
    collections: [{ name: "Old", items: [{ id: "1" }] }],
  });
});

Deno.test("ensureModels() keeps distinct names when it is called again", () => {
  using mirage = startMirage();
  const typeDefs = `type Query { n: Int } type HTTPLog { id: ID! } type HttpLog { id: ID! }
    type Card { id: ID! } type Cards { id: ID! attrs: [Card] }`;
  const first = mirage.ensure(typeDefs);
  deepStrictEqual(mirage.ensure(typeDefs).models, first.models);
  deepStrictEqual(first.models.map(({ collectionName }) => collectionName), [
    "httpLogs",
    "httpLogTypes",
    "cards",
    "cardsRecords",
  ]);
});

const RELATIONS: { what: string; fields: string; keys: Record<string, string> }[] = [
  {
    what: "two relations with one foreign key",
    fields: "comment: [Comment] comments: [Comment]",
    keys: { comment: "commentIds", comments: "commentsRelationIds" },
  },
  {
    what: "a relation and a list, to which Mirage adds methods of one name",
    fields: "comment: Comment comments: [Comment]",
    keys: { comment: "commentId", comments: "commentIds" },
  },
  {
    what: "a relation named like another's foreign key",
    fields: "commentId: Comment comment: Comment",
    keys: { commentId: "commentIdRelationId", comment: "commentId" },
  },
  {
    what: "a relation that hides a method of another",
    fields: "comment: Comment newComment: Comment",
    keys: { comment: "commentId", newComment: "newCommentRelationId" },
  },
  {
    what: "relations that hide members of Mirage's models",
    fields: "associations: [Comment] attrs: Comment save: Comment update: [Comment]",
    keys: {
      associations: "associationsRelationIds",
      attrs: "attrsRelationId",
      save: "saveRelationId",
      update: "updateRelationIds",
    },
  },
];

for (const { what, fields, keys } of RELATIONS) {
  const names = Object.keys(keys);
  const isList = (name: string) => fields.includes(`${name}: [`);
  const typeDefs = `
    type Query { posts: [Post!]! }
    type Comment { id: ID! text: String }
    type Post { id: ID! ${fields} }
    input PostInput { ${names.map((name) => `${name}: ${isList(name) ? "[ID!]" : "ID"}`)} }
    type Mutation { createPost(input: PostInput!): Post }
  `;

  Deno.test(`all relations of a type are kept and read: ${what}`, async () => {
    const comments = names.map((name, index) => ({ id: String(index + 1), text: name }));
    const { data, dump } = createMockServer(typeDefs, { data: { comments } });
    const input = names.map((name, index) =>
      `${name}: ${isList(name) ? [`[${index + 1}]`] : index + 1}`
    );
    const selection = names.map((name) => `${name} { text }`);
    const post = Object.fromEntries(
      names.map((name) => [name, isList(name) ? [{ text: name }] : { text: name }]),
    );
    deepStrictEqual(
      await data(`mutation { createPost(input: { ${input} }) { ${selection} } }`),
      { createPost: post },
    );
    deepStrictEqual(await data(`{ posts { ${selection} } }`), { posts: [post] });
    const [record] = dump().posts!;
    deepStrictEqual(
      names.map((name) => record?.[keys[name]!]),
      names.map((name, index) => isList(name) ? [String(index + 1)] : String(index + 1)),
    );
  });

  Deno.test(`ensureModels() uses a user-defined model instead of ${what}`, () => {
    using mirage = startMirage({ post: Model.extend({ all: hasMany("comment") }) });
    deepStrictEqual([...mirage.ensure(typeDefs).ofType("Post")!.relations.keys()], ["all"]);
  });
}

Deno.test("a relation with a distinct name has its inverse, and resolvers read it", async () => {
  const { data, server } = createMockServer(
    `type Query { posts: [Post!]! }
     type Post { id: ID! attrs: [Attribute!]! names: [String!]! }
     type Attribute { id: ID! name: String post: Post }`,
    {
      resolvers: {
        Post: {
          names: ({ attrs }) => {
            const { models } = attrs as { models: { name: string }[] };
            return models.map(({ name }) => name);
          },
        },
      },
      models: { other: Model.extend({ one: belongsTo("other") }) },
    },
  );
  const post = server.create("post");
  server.create("attribute", { name: "size", post } as object);
  deepStrictEqual(await data("{ posts { attrs { name post { id } } names } }"), {
    posts: [{ attrs: [{ name: "size", post: { id: "1" } }], names: ["size"] }],
  });
});

Deno.test("server.create() takes a relation and a list of it by the names of their fields", async () => {
  const { data, server } = createMockServer(`
    type Query { owners: [Owner!]! }
    type Owner { id: ID! pets: [Pet!]! pet: Pet }
    type Pet { id: ID! name: String }
  `);
  const [rex, tom] = ["Rex", "Tom"].map((name) => server.create("pet", { name } as object));
  server.create("owner", { pet: rex, pets: [rex, tom] } as object);
  server.create("owner", { petId: tom?.id, petIds: [rex?.id] } as object);
  deepStrictEqual(await data("{ owners { pet { name } pets { name } } }"), {
    owners: [
      { pet: { name: "Rex" }, pets: [{ name: "Rex" }, { name: "Tom" }] },
      { pet: { name: "Tom" }, pets: [{ name: "Rex" }] },
    ],
  });
});

for (const name of ["constructor", "toString", "hasOwnProperty", "valueOf"]) {
  Deno.test(`a list of records may have the name "${name}"`, async () => {
    const schema = `
      type Post { id: ID! ${name}: [Comment!]! }
      type Comment { id: ID! text: String post: Post }
      input CommentInput { text: String postId: ID }
      input CommentWhere { text: String }
      input PostWhere { ${name}: CommentWhere }
      type Query { posts(where: PostWhere): [Post!]! }
      type Mutation { createComment(input: CommentInput): Comment }
    `;
    const { server, data } = createMockServer(schema, { conventions: "common" });
    server.create("post", {});
    server.create("post", {});
    await data('mutation { createComment(input: { text: "x", postId: 2 }) { id } }');
    const comments = [{ text: "x", post: { id: "2" } }];
    deepStrictEqual(
      await data(
        `{ posts { ${name} { text post { id } } } found: posts(where: { ${name}: { text: "x" } }) { id } }`,
      ),
      { posts: [{ [name]: [] }, { [name]: comments }], found: [{ id: "2" }] },
    );
  });
}
