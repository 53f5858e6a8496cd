import { getNamedType, type GraphQLSchema, isLeafType } from "graphql";
import { createServer } from "miragejs";
import { parseConventions } from "../conventions/options.ts";
import { createStreamingHandler } from "../fetch_handler.ts";
import { createOrmExecutor, warnOf } from "../mock_executor.ts";
import { createOrm, type Orm } from "../orm/orm.ts";
import { insertSeeds, insertTables } from "./insert_seeds.ts";
import { readSchema } from "./read_schema.ts";
import { readSeeds } from "./read_seeds.ts";
import { toServeError } from "./serve_error.ts";

/** Kept in a variable, so that Deno downloads GraphiQL only when a browser asks for it: 18 MB. */
const PAGE_MODULE = new URL("./render_page.ts", import.meta.url).href;

/** A schema that is served has no code beside it, so the rules reach as far as they can. */
const CONVENTIONS = parseConventions({
  conventions: "common",
  unknownArguments: "ignore",
  defaults: "generate",
});

/** A file that was read. */
export interface ReadFile {
  readonly path: string;
  readonly text: string;
}

/** A loaded mock. */
export interface Mock {
  /** Responds to a request, until the mock is closed. */
  respond(request: Request): Promise<Response>;
  /** Number of records at the start, by collection. */
  readonly counts: Readonly<Record<string, number>>;
  /** Ends all subscriptions. */
  close(): void;
}

/**
 * Loads a mock from a schema and its seeds, which are made up if there is no seed file.
 *
 * @throws {ServeError} If one of the files is invalid.
 */
export async function loadMock(
  schemaFile: ReadFile,
  seedFile: ReadFile | undefined,
): Promise<Mock> {
  const ignored: string[] = [];
  const graphQLSchema = readSchema(schemaFile.text, schemaFile.path, {
    onIgnored: (lines) => ignored.push(...lines),
  });
  const server = createServer({ environment: "test", logging: false });
  const ending = new AbortController();
  const orm = within(schemaFile.path, () => createOrm(graphQLSchema, server.schema, CONVENTIONS));
  warnOf(ignored, orm.models.ambiguous);
  if (seedFile === undefined) await insertGenerated(orm);
  else within(seedFile.path, () => insertSeeds(orm, readSeeds(orm, seedFile.text)));
  const root = await fakeRootOf(graphQLSchema);
  const handler = createStreamingHandler(createOrmExecutor(orm, { root }), {
    root,
    cors: true,
    graphiql: renderPage,
  });
  const counts = Object.fromEntries(orm.models.models.map((model) => [
    model.collectionName,
    orm.store.of(model).select().length,
  ]));
  return {
    counts,
    respond(request) {
      const signal = AbortSignal.any([request.signal, ending.signal]);
      return handler(new Request(request, { signal }));
    },
    close() {
      ending.abort();
      server.shutdown();
    },
  };
}

/** Loads the generators only if they are needed: they add about 100 ms to the start. */
async function insertGenerated(orm: Orm): Promise<void> {
  const { generateTables } = await import("../seeding/generate_tables.ts");
  insertTables(orm, generateTables(orm));
}

async function fakeRootOf(graphQLSchema: GraphQLSchema): Promise<Record<string, unknown>> {
  const fields = Object.values(graphQLSchema.getQueryType()?.getFields() ?? {});
  if (!fields.some(({ type }) => isLeafType(getNamedType(type)))) return {};
  const { fakeRoot } = await import("../seeding/fake_value.ts");
  return fakeRoot(graphQLSchema);
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
