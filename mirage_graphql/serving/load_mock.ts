import { getNamedType, type GraphQLSchema, isLeafType } from "graphql";
import { createServer } from "miragejs";
import { extname } from "node:path";
import { parseConventions, type ResolvedConventions } from "../dialects/options.ts";
import { withCommon } from "../mock/common_conventions.ts";
import type { Executor } from "../execution/executor.ts";
import { createFetchHandlerFor, type FetchHandler } from "../http/fetch_handler.ts";
import { createOrmExecutor, warnOf } from "../mock/mock_executor.ts";
import { createOrm, type Orm } from "../orm/orm.ts";
import { createCompletion } from "../orm/writes/complete_record.ts";
import { toExecutableSchema } from "../schema/executable_schema.ts";
import { StreamBreak } from "../streams/result_body.ts";
import { checkHandshake, type RequestHead } from "../streams/check_handshake.ts";
import { createSocketHandler, type WebSocketHandler } from "../streams/socket_handler.ts";
import { insertSeeds, insertTables } from "./insert_seeds.ts";
import { readSchema } from "./read_schema.ts";
import { parseSeeds, readSeeds, type SeedRecord } from "./read_seeds.ts";
import type { ReadFile } from "./schema_files.ts";
import { type MirageServer, parseLatency, type ServeConfig } from "./serve_config.ts";
import { ServeError, toServeError } from "./serve_error.ts";

/**
 * Kept in a variable, so that Deno downloads GraphiQL, 18 MB, only when a browser requests it; the
 * file ends as this one does, which is JavaScript in the npm package.
 */
const PAGE_MODULE = new URL(`./render_page${extname(import.meta.url)}`, import.meta.url).href;

/** A loaded mock. */
export interface Mock {
  /** Responds to a request, until the mock is closed. */
  respond(request: Request): Promise<Response>;
  /** The response to a request that may open no WebSocket; `undefined` for a handshake. */
  refuse(head: RequestHead): Response | undefined;
  /** Serves a WebSocket, until the mock is closed. */
  readonly accept: WebSocketHandler["accept"];
  /** Number of records at the start, by collection. */
  readonly counts: Readonly<Record<string, number>>;
  /** Breaks all subscriptions off, so that clients connect again. */
  close(): void;
}

/** What a mock is created from, in addition to its schema. */
export interface MockParts {
  /** The records, which take precedence over those of the config; generated if there are none. */
  readonly seedFile?: ReadFile | undefined;
  /** Path of the config file, for messages. */
  readonly configFile?: string | undefined;
  /** The settings. @default {{}} */
  readonly config?: ServeConfig;
}

/**
 * Loads a mock from the files of its schema, its records and its settings.
 *
 * @throws {ServeError} If one of the files is invalid.
 */
export async function loadMock(
  schemaFiles: readonly ReadFile[],
  parts: MockParts = {},
): Promise<Mock> {
  const { config = {}, configFile = "the settings" } = parts;
  const ignored: string[] = [];
  const onIgnored = (lines: readonly string[]) => ignored.push(...lines);
  const graphQLSchema = readSchema(schemaFiles, { onIgnored });
  const executableSchema = within(
    configFile,
    () => toExecutableSchema(graphQLSchema, config.resolvers),
  );
  const ids = createUniqueIds();
  const server = within(configFile, () => startServer(config, ids));
  const ending = new AbortController();
  const [file] = schemaFiles;
  const conventions = conventionsOf(config);
  const plain = within(
    file?.path ?? "",
    () => createOrm(executableSchema, server.schema, conventions),
  );
  const mayLack = plain.mutationTypes.size > 0 || hasSeeds(parts);
  const orm = mayLack ? await withGenerator(plain) : plain;
  warnOf(ignored, orm.models.ambiguous);
  await insertRecords(orm, parts, server, ids);
  const executor = createExecutor(orm, config, await fakeRootOf(graphQLSchema));
  const handler = createHandler(executor, config);
  const sockets = createSocketHandler(executor);
  return {
    counts: countsOf(orm),
    accept: sockets.accept,
    refuse: (head) => checkHandshake(head, config.origins),
    async respond(request) {
      const signal = AbortSignal.any([request.signal, ending.signal]);
      return await handler(new Request(request, { signal }));
    },
    close() {
      ending.abort(new StreamBreak("Cannot continue the stream: the mock has been loaded again"));
      sockets.close();
      server.shutdown();
    },
  };
}

/** The defaults for schemas that nobody has prepared. */
function conventionsOf(config: ServeConfig): ResolvedConventions {
  const { conventions = "common", unknownArguments = "ignore", defaults = "generate" } = config;
  return parseConventions(withCommon({ ...config, conventions, unknownArguments, defaults }));
}

function startServer({ models, factories }: ServeConfig, { Manager }: UniqueIds): MirageServer {
  const identityManagers = { application: Manager };
  const logging = { environment: "test", logging: false };
  const options = { ...logging, identityManagers, ...models && { models } };
  return createServer({ ...options, ...factories && { factories } });
}

function createExecutor(orm: Orm, config: ServeConfig, root: Record<string, unknown>): Executor {
  const { context, fail = {} } = config;
  const latency = typeof config.latency === "string"
    ? parseLatency(config.latency)
    : config.latency;
  const executor = createOrmExecutor(orm, { root, context, latency });
  for (const [name, statuses] of Object.entries(fail)) {
    for (const status of [statuses].flat()) executor.failNext(name, status);
  }
  return executor;
}

function createHandler(executor: Executor, { batch, origins }: ServeConfig): FetchHandler {
  const cors = origins === undefined ? true : { origins, credentials: true };
  return createFetchHandlerFor(executor, { cors, batch, graphiql: renderPage });
}

/** Records from the seed file or the settings, or generated ones. */
async function insertRecords(
  orm: Orm,
  { seedFile, configFile = "the settings", config = {} }: MockParts,
  server: MirageServer,
  ids: UniqueIds,
): Promise<void> {
  const { seeds, count, values } = config;
  const isGenerated = seedFile === undefined && seeds === undefined;
  if (!isGenerated && (count ?? values) !== undefined) {
    throw new ServeError(
      `Cannot use "${
        count === undefined ? "values" : "count"
      }": there are seeds, and only sample ` +
        "records have it",
    );
  }
  const insert = (records: readonly SeedRecord[]) => {
    ids.reserve(records.map(({ attributes }) => attributes.id));
    insertSeeds(orm, records);
  };
  if (seedFile !== undefined) {
    return within(seedFile.path, () => insert(parseSeeds(orm, seedFile.text)));
  }
  if (seeds === undefined) return await insertGenerated(orm, config);
  if (typeof seeds !== "function") return within(configFile, () => insert(readSeeds(orm, seeds)));
  try {
    await seeds(server);
  } catch (error) {
    throw toServeError(configFile, [error]);
  }
}

function hasSeeds({ seedFile, config: { seeds } = {} }: MockParts): boolean {
  return seedFile !== undefined || seeds !== undefined;
}

/** Generates what new records lack, as for sample records. */
async function withGenerator(orm: Orm): Promise<Orm> {
  if (orm.conventions.defaults !== "generate") return orm;
  const { createValueGenerator } = await import("../seeding/generate_values.ts");
  return { ...orm, completion: createCompletion(orm, createValueGenerator(orm)) };
}

/** Loads the generators only if they are needed: they add about 100 ms to the start. */
async function insertGenerated(orm: Orm, { count, values }: ServeConfig): Promise<void> {
  const { generateTables } = await import("../seeding/generate_tables.ts");
  insertTables(orm, generateTables(orm, { hasUniqueIds: true, count, values }));
}

async function fakeRootOf(graphQLSchema: GraphQLSchema): Promise<Record<string, unknown>> {
  const fields = Object.values(graphQLSchema.getQueryType()?.getFields() ?? {});
  if (!fields.some(({ type }) => isLeafType(getNamedType(type)))) return {};
  const { fakeRoot } = await import("../seeding/fake_value.ts");
  return fakeRoot(graphQLSchema);
}

function countsOf(orm: Orm): Record<string, number> {
  return Object.fromEntries(orm.models.models.map((model) => [
    model.collectionName,
    orm.store.of(model).select().length,
  ]));
}

function within<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw toServeError(file, [error]);
  }
}

async function renderPage(): Promise<string> {
  const page: typeof import("./render_page.ts") = await import(PAGE_MODULE);
  return await page.renderPage();
}

/** Assigns the ids of one table, as Mirage's identity managers do. */
interface IdentityManager {
  /** A new id. */
  fetch(): string;
  /** Registers the id of an existing record; throws if another record of the table has it. */
  set(id: string | number): void;
  /** Forgets all ids of the table. */
  reset(): void;
}

/** Ids that are unique across all tables of a server. */
interface UniqueIds {
  /** For the option `identityManagers` of `createServer()`; Mirage creates one for each table. */
  readonly Manager: new () => IdentityManager;
  /** Skips ids that records will have. */
  reserve(ids: Iterable<unknown>): void;
}

/**
 * Counts ids across all tables, so that `node(id:)` and caches by id never confuse records of two
 * types. Records that are given the same id in two tables keep it.
 */
function createUniqueIds(): UniqueIds {
  let next = 1;
  const reserveOne = (id: unknown) => {
    const number = Number(id);
    if (Number.isSafeInteger(number) && String(number) === String(id)) {
      next = Math.max(next, number + 1);
    }
  };
  return {
    Manager: class implements IdentityManager {
      readonly #ids = new Set<string>();

      fetch(): string {
        const id = String(next++);
        this.#ids.add(id);
        return id;
      }

      set(id: string | number): void {
        const text = String(id);
        if (this.#ids.has(text)) throw new Error(`Cannot use the id "${text}": it is taken`);
        this.#ids.add(text);
        reserveOne(id);
      }

      reset(): void {
        this.#ids.clear();
      }
    },
    reserve(ids) {
      for (const id of ids) reserveOne(id);
    },
  };
}
