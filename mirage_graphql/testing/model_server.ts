import { buildSchema } from "graphql";
import { createServer } from "miragejs";
import { ensureModels, type ModelOptions } from "../orm/models/ensure_models.ts";
import { type MirageSchema, parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import type { ModelMap } from "../orm/models/model_map.ts";

type HostModels = NonNullable<Parameters<typeof createServer>[0]>["models"];

/**
 * A Mirage server with user-defined models and those of a GraphQL schema; shuts down when disposed.
 */
export interface MockServer extends Disposable {
  readonly mockSchema: MirageSchema;
  /** Adds the models that the types of the document need. */
  ensure(typeDefs: string, options?: ModelOptions): ModelMap;
}

/** Starts a real Mirage server with user-defined models. */
export function startMirage(models: HostModels = {}): MockServer {
  const server = createServer({ models, environment: "test" });
  const mockSchema = parseMockSchema(server.schema);
  return {
    mockSchema,
    ensure: (typeDefs, options) => ensureModels(buildSchema(typeDefs), mockSchema, options),
    [Symbol.dispose]: () => server.shutdown(),
  };
}
