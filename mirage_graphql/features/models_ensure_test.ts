import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { buildSchema } from "graphql";
import { belongsTo, Model } from "miragejs";
import { ensureModels } from "../orm/models/ensure_models.ts";
import type { Relation } from "../orm/models/model_map.ts";
import { startMirage } from "../testing/model_server.ts";

const BLOG = `
  type Query { posts: [Post] }
  type Post { id: ID! title: String author: User comments: [Comment!]! address: Address }
  type User { id: ID! posts: [Post] }
  type Comment { id: ID! post: Post! }
  type Address { city: String }
`;

/** A relation whose association is named like the field. */
function relation(name: string, rest: Pick<Relation, "foreignKey" | "modelName">): Relation {
  return { name, association: name, isList: rest.foreignKey.endsWith("Ids"), ...rest };
}

Deno.test("ensureModels() registers the models that are missing, with their relations", () => {
  using mirage = startMirage();
  const models = mirage.ensure(BLOG);

  deepStrictEqual(models.models.map(({ typeName }) => typeName), ["Post", "User", "Comment"]);
  deepStrictEqual(models.ofType("Post"), {
    typeName: "Post",
    modelName: "post",
    collectionName: "posts",
    key: undefined,
    relations: new Map([
      ["author", relation("author", { foreignKey: "authorId", modelName: "user" })],
      ["comments", relation("comments", { foreignKey: "commentIds", modelName: "comment" })],
    ]),
    getters: new Set(),
  });
  strictEqual(models.ofType("Address"), undefined);
  strictEqual(models.ofModel("post"), models.ofType("Post"));
});

Deno.test("ensureModels() keeps user-defined models unchanged", () => {
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

Deno.test("ensureModels() treats a connection as a list of its nodes, and derives polymorphic relations", () => {
  using mirage = startMirage();
  const { relations } = mirage.ensure(`
    type Query { user: User }
    type User { id: ID! posts(first: Int): PostConnection! pinned: Item feed: [Item] }
    type PostConnection { edges: [PostEdge] } type PostEdge { node: Post cursor: String! }
    type Post { id: ID! } type Photo { id: ID! } union Item = Post | Photo
  `).ofType("User")!;

  deepStrictEqual([...relations.values()], [
    relation("pinned", { foreignKey: "pinnedId", modelName: undefined }),
    relation("posts", { foreignKey: "postIds", modelName: "post" }),
    relation("feed", { foreignKey: "feedIds", modelName: undefined }),
  ]);
});

Deno.test("ensureModels() derives no relations from nested lists and embedded values", () => {
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
  const host = hostName === undefined ? "" : `, which the app calls ${hostName}`;
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

Deno.test("ensureModels() finds the model of a record that was created with another name", () => {
  using mirage = startMirage();
  const models = mirage.ensure("type Query { n: Int } type Version_2 { id: ID! }");
  const record = mirage.mockSchema.create("version_2");
  strictEqual(record.modelName, "version-2");
  strictEqual(models.ofModel(record.modelName), models.ofType("Version_2"));
  strictEqual(models.ofModel("version-3"), undefined);
});

Deno.test("ensureModels() prefers the user-defined model of the exact name", () => {
  using mirage = startMirage({ httpLog: Model, hTTPLog: Model });
  const model = mirage.ensure("type Query { n: Int } type HTTPLog { id: ID! }").ofType("HTTPLog");
  strictEqual(model?.modelName, "http-log");
});

Deno.test("ensureModels() rejects a user-defined model whose table overwrites Mirage's list of tables", () => {
  using mirage = startMirage({ collection: Model });
  throws(() => mirage.ensure("type Query { n: Int } type Collection { id: ID! }"), {
    name: "RangeError",
    message: 'Cannot keep the type "Collection" in Mirage: ' +
      'the name "collections" of its table is Mirage\'s own. ' +
      "Give createServer() an `inflector` whose pluralize() returns another one",
  });
});

Deno.test("ensureModels() works on a schema of extended types", () => {
  using mirage = startMirage();
  const graphQLSchema = buildSchema(`${BLOG} extend type Comment { likedBy: [User] }`);
  const { relations } = ensureModels(graphQLSchema, mirage.mockSchema).ofType("Comment")!;
  deepStrictEqual([...relations.keys()], ["post", "likedBy"]);
});
