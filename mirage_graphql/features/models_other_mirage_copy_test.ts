import { throws } from "node:assert/strict";
import { createRequire } from "node:module";
import { buildSchema } from "graphql";
import type { createServer } from "miragejs";
import { ensureModels } from "../orm/models/ensure_models.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";

/** Loads the package a second time, like a bundle that contains it twice. */
function secondCopyOfMirage(): { createServer: typeof createServer } {
  const require = createRequire(import.meta.url);
  const path = require.resolve("miragejs");
  const first = require.cache[path];
  delete require.cache[path];
  const copy = require(path);
  require.cache[path] = first;
  return copy;
}

Deno.test("ensureModels() rejects the schema of another copy of Mirage", () => {
  const server = secondCopyOfMirage().createServer({ environment: "test" });
  const graphQLSchema = buildSchema("type Query { n: Int } type Post { id: ID! next: Post }");
  throws(() => ensureModels(graphQLSchema, parseMockSchema(server.schema)), {
    name: "TypeError",
    message: 'Cannot register "next" of the model "post": the mock schema is of another copy of ' +
      '"miragejs" than the one that this library imports',
  });
  server.shutdown();
});
