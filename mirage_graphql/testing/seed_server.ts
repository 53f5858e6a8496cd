import { createServer, Model, RestSerializer, type Server } from "miragejs";
import type { FetchInterceptor } from "../intercept/fetch_interceptor.ts";

/** A record as tests write it, whatever its model. */
export interface SeedModel {
  readonly id: string;
  readonly attrs: Record<string, unknown>;
  update(name: string, value: unknown): SeedModel;
  destroy(): void;
}

/** A table as tests use it. */
export interface SeedTable extends ReadonlyArray<Record<string, unknown>> {
  insert(data: object): unknown;
  update(...args: unknown[]): unknown;
  remove(...args: unknown[]): unknown;
}

/** A Mirage server whose records are written without types. */
export interface SeedServer {
  readonly schema: {
    readonly db: Readonly<Record<string, SeedTable>>;
    create(modelName: string, attributes?: object): SeedModel;
    find(modelName: string, id: string): SeedModel;
  };
  create(modelName: string, attributes?: object): SeedModel;
  createList(modelName: string, count: number, attributes?: object): SeedModel[];
  shutdown(): void;
}

/** Starts a real Mirage server for tests. */
export function createSeedServer(options: object = {}): SeedServer {
  const server: unknown = createServer({ environment: "test", ...options });
  return server as SeedServer;
}

/** Starts a real Mirage server with movies, whose routes an interceptor serves to `fetch`. */
export function serveRoutes(
  interceptor: FetchInterceptor,
  routes: (this: Server) => void,
  config: { namespace?: string; urlPrefix?: string } = {},
): Server {
  return createServer({
    ...interceptor,
    ...config,
    environment: "test",
    models: { movie: Model },
    serializers: { application: RestSerializer },
    routes,
  });
}
