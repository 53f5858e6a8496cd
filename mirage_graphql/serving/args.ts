import { parseArgs } from "node:util";
import { ServeError } from "./serve_error.ts";

/** Settings of the command. */
export interface ServeSettings {
  /** The file with the GraphQL schema. */
  readonly schemaFile: string;
  /** The JSON file with the records; without it they are made up. */
  readonly seedFile: string | undefined;
  /** Port to listen on; 0 is a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly hostname: string;
}

const OPTIONS = {
  seed: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
} as const;

/**
 * Parses the command's arguments; `undefined` if they ask for help.
 *
 * @throws {ServeError} If an option is unknown, repeated or without a value.
 */
export function parseServeArgs(args: readonly string[]): ServeSettings | undefined {
  if (args.includes("--help") || args.includes("-h")) return undefined;
  const config = { args: [...args], options: OPTIONS, allowPositionals: true, strict: false };
  const { tokens, positionals: [schemaFile, second] } = parseArgs({ ...config, tokens: true });
  const options = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === "option") options.set(token.name, valueOf(token, options));
  }
  if (schemaFile === undefined) {
    throw new ServeError("Cannot serve: name the file with the GraphQL schema, or see --help");
  }
  if (second !== undefined) {
    throw new ServeError(`Cannot serve "${second}" too: one file has the whole schema`);
  }
  return {
    schemaFile,
    seedFile: options.get("seed"),
    port: toPort(options.get("port") ?? "4000"),
    hostname: options.get("host") ?? "127.0.0.1",
  };
}

/** An option as `parseArgs()` reads it. */
interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function valueOf(
  { name, rawName, value }: OptionToken,
  known: ReadonlyMap<string, string>,
): string {
  if (!Object.hasOwn(OPTIONS, name)) {
    throw new ServeError(
      `Cannot use the option "${rawName}": there are --seed, --port, --host and --help`,
    );
  }
  if (known.has(name)) throw new ServeError(`Cannot use ${rawName} twice`);
  if (value === undefined || value === "" || value.startsWith("--")) {
    throw new ServeError(`Cannot use ${rawName}: it needs a value`);
  }
  return value;
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new ServeError(`Cannot listen on port "${text}": it must be 0 to 65535`);
}

/** What `--help` prints. */
export const HELP =
  `Serves a GraphQL mock from a schema file: the schema definition language, or introspection JSON.

  deno run -A mirage_graphql/serve.ts schema.graphql [options]

  --seed <file>   JSON file with the records; without it, records are made up from the types
  --port <port>   port to listen on, 4000 by default; 0 takes a free one
  --host <host>   address to listen on, 127.0.0.1 by default
  --help          prints this

Queries, mutations and subscriptions work as the field's names and types say; browsers get
GraphiQL. When one of the files changes, both are read again, and the records with them; errors are
reported, and the last valid version keeps running.

The seed file has lists of records by type or collection. Relations are ids, on either side, or
nested records; {} starts without records:

  {
    "people": [{ "id": 1, "name": "Ada", "posts": [{ "title": "One" }, 7] }],
    "posts": [{ "id": 7, "title": "Two" }, { "id": 8, "title": "Three", "author": 1 }]
  }
`;
