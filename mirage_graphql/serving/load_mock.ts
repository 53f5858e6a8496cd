import { getNamedType, type GraphQLSchema, isLeafType } from "graphql";
import { createServer } from "miragejs";
import { createFetchHandler } from "../mod.ts";
import { createOrm } from "../orm/orm.ts";
import { toExecutableSchema } from "../schema/executable_schema.ts";
import { sampleValue } from "./fake_value.ts";
import { generateSeeds } from "./generate_seeds.ts";
import { insertSeeds } from "./insert_seeds.ts";
import { readSchema } from "./read_schema.ts";
import { readSeeds } from "./read_seeds.ts";
import { toServeError } from "./serve_error.ts";

/** A file that was read. */
export interface ReadFile {
  readonly path: string;
  readonly text: string;
}

/** A mock that answers. */
export interface Mock {
  /** Answers a request, until the mock is closed. */
  answer(request: Request): Promise<Response>;
  /** How many records there were at the start, by collection. */
  readonly counts: Readonly<Record<string, number>>;
  /** Ends the subscriptions under way. */
  close(): void;
}

/**
 * Makes a mock of a schema and its seeds, which are made up where there is no file of them.
 *
 * @throws {ServeError} Where one of the files is broken.
 */
export function loadMock(schemaFile: ReadFile, seedFile: ReadFile | undefined): Mock {
  const document = readSchema(schemaFile.text, schemaFile.path);
  const server = createServer({ environment: "test", logging: false });
  const ending = new AbortController();
  const orm = within(schemaFile.path, () => {
    return createOrm(toExecutableSchema(document), server.schema);
  });
  within(seedFile?.path ?? schemaFile.path, () => {
    insertSeeds(orm, seedFile === undefined ? generateSeeds(orm) : readSeeds(orm, seedFile.text));
  });
  const handler = createFetchHandler(document, server.schema, {
    cors: true,
    graphiql: renderPage,
    root: sampleRoot(orm.graphQLSchema),
  });
  const counts = Object.fromEntries(orm.models.models.map((model) => [
    model.collectionName,
    orm.store.of(model).select().length,
  ]));
  return {
    counts,
    answer(request) {
      const signal = AbortSignal.any([request.signal, ending.signal]);
      return handler(new Request(request, { signal }));
    },
    close() {
      ending.abort();
      server.shutdown();
    },
  };
}

function within<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw toServeError(file, [error]);
  }
}

let page: Promise<string> | undefined;

/** Makes the GraphiQL page, once: it has 9 MB. */
function renderPage(): Promise<string> {
  page ??= render();
  return page;
}

/**
 * The command imports the package by its name, so that it comes along from JSR too, where a package
 * has no import map; the fetch handler leaves it to its host.
 */
async function render(): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  return renderGraphiQL({ title: "GraphiQL" });
}

/**
 * Makes up what the query type's plain values answer, such as `version: String!`: no record holds
 * them, and a file of seeds has no place for them.
 */
function sampleRoot(graphQLSchema: GraphQLSchema): Record<string, unknown> {
  const query = graphQLSchema.getQueryType();
  if (!query) return {};
  const values = Object.values(query.getFields()).filter(({ type }) =>
    isLeafType(getNamedType(type))
  );
  return Object.fromEntries(values.map(({ name, type }) => {
    const place = { typeName: query.name, fieldName: name, index: 0 };
    return [name, sampleValue(graphQLSchema, type, place)];
  }));
}
