import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { buildSchema } from "graphql";
import { belongsTo, hasMany, Model } from "miragejs";
import { ensureModels } from "../orm/models/ensure_models.ts";
import { startMirage } from "../testing/model_server.ts";

const BLOG = `
  type Query { posts: [Post] }
  type Post { id: ID! title: String author: User comments: [Comment!]! address: Address }
  type User { id: ID! posts: [Post] }
  type Comment { id: ID! post: Post! }
  type Address { city: String }
`;

Deno.test("ensureModels() registers the models that are missing, with their relations", () => {
  using mirage = startMirage();
  const models = mirage.ensure(BLOG);

  deepStrictEqual(models.models.map(({ typeName }) => typeName), ["Post", "User", "Comment"]);
  deepStrictEqual(models.ofType("Post"), {
    typeName: "Post",
    modelName: "post",
    collectionName: "posts",
    relations: new Map([
      ["author", { name: "author", isList: false, foreignKey: "authorId", modelName: "user" }],
      [
        "comments",
        { name: "comments", isList: true, foreignKey: "commentIds", modelName: "comment" },
      ],
    ]),
    getters: new Set(),
  });
  strictEqual(models.ofType("Address"), undefined);
  strictEqual(models.ofModel("post"), models.ofType("Post"));
});

Deno.test("ensureModels() keeps the host's models as they are", () => {
  using mirage = startMirage({ post: Model.extend({ writer: belongsTo("user") }), user: Model });
  const before = mirage.mockSchema.modelClassFor("post");

  const { relations } = mirage.ensure(BLOG).ofType("Post")!;

  strictEqual(mirage.mockSchema.modelClassFor("post"), before);
  deepStrictEqual([...relations.keys()], ["writer"]);
});

Deno.test("ensureModels() changes nothing when it is called again", () => {
  using mirage = startMirage({ user: Model });
  const first = mirage.ensure(BLOG);
  const classes = first.models.map(({ modelName }) => mirage.mockSchema.modelClassFor(modelName));
  mirage.mockSchema.create("post", { title: "Kept" });

  const second = mirage.ensure(BLOG);

  deepStrictEqual(second.models, first.models);
  second.models.forEach(({ modelName }, index) =>
    strictEqual(mirage.mockSchema.modelClassFor(modelName), classes[index])
  );
  strictEqual(mirage.mockSchema.find("post", "1")?.title, "Kept");
});

Deno.test("ensureModels() makes a list of a connection's nodes, and polymorphic relations", () => {
  using mirage = startMirage();
  const { relations } = mirage.ensure(`
    type Query { user: User }
    type User { id: ID! posts(first: Int): PostConnection! pinned: Item feed: [Item] }
    type PostConnection { edges: [PostEdge] } type PostEdge { node: Post cursor: String! }
    type Post { id: ID! } type Photo { id: ID! } union Item = Post | Photo
  `).ofType("User")!;

  deepStrictEqual([...relations.values()], [
    { name: "pinned", isList: false, foreignKey: "pinnedId", modelName: undefined },
    { name: "posts", isList: true, foreignKey: "postIds", modelName: "post" },
    { name: "feed", isList: true, foreignKey: "feedIds", modelName: undefined },
  ]);
});

Deno.test("ensureModels() leaves nested lists and embedded values plain", () => {
  using mirage = startMirage();
  const { relations } = mirage.ensure(`
    type Query { board: Board }
    type Board { id: ID! rows: [[Cell!]!]! size: Size sizes: [Size] shape: Shape }
    type Cell { id: ID! } type Size { width: Int } union Shape = Size
  `).ofType("Board")!;
  deepStrictEqual(relations.size, 0);
});

const NAMES: [typeName: string, hostName: string | undefined, modelName: string, table: string][] =
  [
    ["HTTPLog", undefined, "http-log", "httpLogs"],
    ["HTTPLog", "httpLog", "http-log", "httpLogs"],
    ["HTTPLog", "http-log", "http-log", "httpLogs"],
    ["HTTPLog", "hTTPLog", "h-ttp-log", "hTtpLogs"],
    ["api_user", undefined, "api-user", "apiUsers"],
    ["api_user", "apiUser", "api-user", "apiUsers"],
    ["ApiUser", "api_user", "api-user", "apiUsers"],
    ["Person", undefined, "person", "people"],
    ["_Draft", undefined, "draft", "drafts"],
    ["Foo__Bar_", undefined, "foo-bar", "fooBars"],
    ["Version_2", undefined, "version2", "version2s"],
    ["Model3D", undefined, "model3-d", "model3Ds"],
  ];

for (const [typeName, hostName, modelName, table] of NAMES) {
  const host = hostName === undefined ? "" : `, which the host calls ${hostName}`;
  Deno.test(`ensureModels() finds the model ${modelName} for ${typeName}${host}`, () => {
    using mirage = startMirage(hostName === undefined ? {} : { [hostName]: Model });
    const typeDefs = `type Query { one: ${typeName} } type ${typeName} { id: ID! owner: Owner }
      type Owner { id: ID! owned: [${typeName}] }`;

    const models = mirage.ensure(typeDefs);

    const model = models.ofType(typeName);
    deepStrictEqual([model?.modelName, model?.collectionName], [modelName, table]);
    const record = mirage.mockSchema.create(modelName);
    strictEqual(models.ofModel(record.modelName), model);
    const owner = mirage.mockSchema.create("owner", { owned: [record] });
    deepStrictEqual(owner.reload().ownedIds, ["1"]);
    deepStrictEqual(
      mirage.mockSchema.db._collections.map(({ name }) => name).sort(),
      [
        "owners",
        table,
      ].sort(),
    );
  });
}

Deno.test("ensureModels() finds the model of a record that was created by another name", () => {
  using mirage = startMirage();
  const models = mirage.ensure("type Query { n: Int } type Version_2 { id: ID! }");
  const record = mirage.mockSchema.create("version_2");
  strictEqual(record.modelName, "version-2");
  strictEqual(models.ofModel(record.modelName), models.ofType("Version_2"));
  strictEqual(models.ofModel("version-3"), undefined);
});

Deno.test("ensureModels() prefers the host's model of the very name", () => {
  using mirage = startMirage({ httpLog: Model, hTTPLog: Model });
  const model = mirage.ensure("type Query { n: Int } type HTTPLog { id: ID! }").ofType("HTTPLog");
  strictEqual(model?.modelName, "http-log");
});

const TABLES: { what: string; types: string; host?: string; message: string }[] = [
  {
    what: "two types of one model",
    types: "type BlogPost { id: ID! } type blog_post { id: ID! }",
    message: 'Cannot keep the type "BlogPost" and the type "blog_post" in Mirage: ' +
      'both would be in the table "blogPosts"',
  },
  {
    what: "two types of one of the host's models",
    types: "type BlogPost { id: ID! } type blog_post { id: ID! }",
    host: "blogPost",
    message: 'Cannot keep the type "BlogPost" and the type "blog_post" in Mirage: ' +
      'both would be in the table "blogPosts"',
  },
  {
    what: "two types of one table",
    types: "type Person { id: ID! } type People { id: ID! }",
    message: 'Cannot keep the type "Person" and the type "People" in Mirage: ' +
      'both would be in the table "people"',
  },
  {
    what: "a type with the table of another model of the host",
    types: "type Person { id: ID! }",
    host: "people",
    message: 'Cannot keep the model "people" and the type "Person" in Mirage: ' +
      'both would be in the table "people"',
  },
  {
    what: "a type whose table's name is Mirage's own",
    types: "type RegisterModel { id: ID! }",
    message: 'Cannot keep the type "RegisterModel" in Mirage: ' +
      'the name "registerModels" of its table is Mirage\'s own. ' +
      "Give createServer() an `inflector` whose pluralize() makes another one",
  },
  {
    what: "a type whose table would overwrite Mirage's list of tables",
    types: "type Collection { id: ID! }",
    message: 'Cannot keep the type "Collection" in Mirage: ' +
      'the name "collections" of its table is Mirage\'s own. ' +
      "Give createServer() an `inflector` whose pluralize() makes another one",
  },
  {
    what: "a host's model whose table overwrites Mirage's list of tables",
    types: "type Collection { id: ID! }",
    host: "collection",
    message: 'Cannot keep the type "Collection" in Mirage: ' +
      'the name "collections" of its table is Mirage\'s own. ' +
      "Give createServer() an `inflector` whose pluralize() makes another one",
  },
  {
    what: "a type named as a member of every object",
    types: "type Constructor { id: ID! driver: Constructor }",
    message: 'Cannot keep the type "Constructor" in Mirage: every object has a member of that ' +
      "name, which Mirage takes for the model",
  },
];

for (const { what, types, host, message } of TABLES) {
  Deno.test(`ensureModels() refuses ${what}`, () => {
    using mirage = startMirage(host === undefined ? {} : { [host]: Model });
    throws(() => mirage.ensure(`type Query { n: Int } ${types}`), { name: "RangeError", message });
  });
}

const RELATIONS: { what: string; fields: string; message: string }[] = [
  {
    what: "two relations with one foreign key",
    fields: "comment: [Comment] comments: [Comment]",
    message: 'Cannot make "Post.comment" and "Post.comments" relations: Mirage uses "commentIds" ' +
      'for both. Define the model of "Post" with one of them, and write a resolver for the other',
  },
  {
    what: "a relation named as another's foreign key",
    fields: "commentId: Comment comment: Comment",
    message: 'Cannot make "Post.commentId" and "Post.comment" relations: Mirage uses "commentId" ' +
      'for both. Define the model of "Post" with one of them, and write a resolver for the other',
  },
  {
    what: "a relation that hides a method of another",
    fields: "comment: Comment newComment: Comment",
    message: 'Cannot make "Post.newComment" and "Post.comment" relations: Mirage uses ' +
      '"newComment" for both. Define the model of "Post" with one of them, and write a resolver ' +
      "for the other",
  },
  {
    what: "a relation that hides a member of Mirage's models",
    fields: "associations: [Comment]",
    message: 'Cannot make "Post.associations" a relation: Mirage\'s models have a member ' +
      '"associations". Define the model of "Post" without it, and write a resolver for the field',
  },
  {
    what: "a relation that hides a field of Mirage's models",
    fields: "attrs: Comment",
    message: 'Cannot make "Post.attrs" a relation: Mirage\'s models have a member "attrs". ' +
      'Define the model of "Post" without it, and write a resolver for the field',
  },
];

for (const { what, fields, message } of RELATIONS) {
  const typeDefs = `type Query { n: Int } type Comment { id: ID! } type Post { id: ID! ${fields} }`;

  Deno.test(`ensureModels() refuses ${what}, and registers nothing`, () => {
    using mirage = startMirage();
    throws(() => mirage.ensure(typeDefs), { name: "RangeError", message });
    deepStrictEqual(mirage.mockSchema.db._collections, []);
  });

  Deno.test(`ensureModels() takes a host's model in place of ${what}`, () => {
    using mirage = startMirage({ post: Model.extend({ all: hasMany("comment") }) });
    deepStrictEqual([...mirage.ensure(typeDefs).ofType("Post")!.relations.keys()], ["all"]);
  });
}

Deno.test("ensureModels() works on a schema of extended types", () => {
  using mirage = startMirage();
  const graphQLSchema = buildSchema(`${BLOG} extend type Comment { likedBy: [User] }`);
  const { relations } = ensureModels(graphQLSchema, mirage.mockSchema).ofType("Comment")!;
  deepStrictEqual([...relations.keys()], ["post", "likedBy"]);
});
