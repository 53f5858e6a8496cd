import type { ExecutionResult } from "graphql";
import { createServer } from "miragejs";
import { createGraphQLHandler } from "../../mock/handler.ts";
import type { Tables } from "../mock_server.ts";
import type { Host } from "./draw_host.ts";
import { toSdl } from "./to_sdl.ts";
import { objectOf, type PlainRecord, recordsOf, type World } from "./world.ts";
import type { DrawnOperation } from "./draw_operation.ts";

/** A Mirage server with the records of a world. */
export interface SeededServer extends Disposable {
  /** Runs a request through the route handler. */
  answer(operation: DrawnOperation): Promise<ExecutionResult>;
  /** The rows of the whole database. */
  dump(): Tables;
  create(record: PlainRecord): void;
  update(record: PlainRecord): void;
  destroy(record: PlainRecord): void;
}

/** The part of Mirage's schema that seeds call; its names depend on the models. */
interface Seeds {
  create(modelName: string, attributes: object): unknown;
  find(modelName: string, id: string): { update(attributes: object): unknown; destroy(): void };
}

type Models = NonNullable<NonNullable<Parameters<typeof createServer>[0]>["models"]>;

/** Starts a server and seeds it through Mirage's ORM: one side of each pair of relations only. */
export function createSeededServer(world: World, host: Host): SeededServer {
  const { models, resolvers } = host;
  const server = createServer({ environment: "test", models: { ...models } as Models });
  const handler = createGraphQLHandler(toSdl(world.spec), server.schema, { resolvers });
  const seeds = server.schema as unknown as Seeds;
  const modelOf = ({ typeName, id }: PlainRecord) =>
    seeds.find(objectOf(world, typeName).modelName, id);
  const stored = ({ attributes }: PlainRecord) =>
    Object.fromEntries(
      Object.entries(attributes).map((
        [name, value],
      ) => [name, name.startsWith("kind") ? host.stored(value) : value]),
    );
  const create = (record: PlainRecord) =>
    void seeds.create(objectOf(world, record.typeName).modelName, {
      id: record.id,
      ...stored(record),
    });
  world.records.forEach(create);
  for (const { owner, name, kind, isDerived } of world.spec.relations) {
    if (isDerived) continue;
    for (const record of recordsOf(world, [owner])) {
      const related = (record.links.get(name) ?? []).map(modelOf);
      if (related.length > 0) {
        modelOf(record).update({ [name]: kind === "one" ? related[0] : related });
      }
    }
  }
  return {
    answer: async ({ source, variables }) => {
      const requestBody = JSON.stringify({ query: source, variables });
      const { data, errors } = await handler(server.schema, { requestBody });
      return { data, errors } as ExecutionResult;
    },
    dump: () => {
      const rows: unknown = server.db.dump();
      return rows as Tables;
    },
    create,
    update: (record) => void modelOf(record).update(stored(record)),
    destroy: (record) => modelOf(record).destroy(),
    [Symbol.dispose]: () => server.shutdown(),
  };
}
