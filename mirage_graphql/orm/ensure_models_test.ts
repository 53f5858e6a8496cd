import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { createServer, Model } from "miragejs";
import { ensureModels } from "./ensure_models.ts";
import { parseMockSchema } from "./mock_schema.ts";

Deno.test("ensureModels() registers a model per entity, linked both ways", () => {
  const server = createServer({ models: { hTTPLog: Model }, environment: "test" });
  const mockSchema = parseMockSchema(server.schema);
  const schema = buildSchema(`
    type Query { posts: [Post] }
    type Post { id: ID! title: String author: User editor: User }
    type User { id: ID! authoredPosts: [Post] editedPosts: [Post] }
    type HTTPLog { path: String }
    type api_user { id: ID! }
  `);
  const map = ensureModels(schema, mockSchema);
  const author = mockSchema.create("user");
  const post = mockSchema.create("post", { author });
  deepStrictEqual(author.reload().authoredPostIds, ["1"]);
  deepStrictEqual(author.reload().editedPostIds, []);
  strictEqual(map.ofModel(post.modelName), map.ofType("Post"));
  server.shutdown();
});
