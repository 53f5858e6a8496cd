/**
 * Serves a mock from a GraphQL schema, on Node and on Deno:
 * `npx @trestle/mirage-graphql serve schema.graphql`.
 *
 * @module
 */
import process from "node:process";
import { runServe } from "./serving/run_serve.ts";

export type { FieldValue, TypeValues } from "./seeding/generate_tables.ts";
export type { RecordCount } from "./seeding/generate_values.ts";
export type {
  MirageOptions,
  MirageServer,
  SeedLists,
  ServeConfig,
} from "./serving/serve_config.ts";

// without a top-level await, CommonJS can require this module
if (import.meta.main) void runServe(process.argv.slice(2));
