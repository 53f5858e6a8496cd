import { ServeError } from "./serve_error.ts";

/** What the command was told. */
export interface ServeSettings {
  /** The file with the GraphQL schema. */
  readonly schemaFile: string;
  /** The JSON file with the records; without one they are generated. */
  readonly seedFile: string | undefined;
  /** Port to listen on; 0 is a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly hostname: string;
}

/** Reads the command's arguments; `undefined` where they ask for help. */
export function parseServeArgs(args: readonly string[]): ServeSettings | undefined {
  if (args.includes("--help") || args.includes("-h")) return undefined;
  const { files, options } = splitArgs(args);
  const [schemaFile, second] = files;
  if (schemaFile === undefined) {
    throw new ServeError("Cannot serve: name the file with the GraphQL schema, or see --help");
  }
  if (second !== undefined) {
    throw new ServeError(`Cannot serve "${second}" too: one file has the whole schema`);
  }
  return {
    schemaFile,
    seedFile: options.get("--seed"),
    port: toPort(options.get("--port") ?? "4000"),
    hostname: options.get("--host") ?? "127.0.0.1",
  };
}

const OPTIONS = ["--seed", "--port", "--host"];

interface SplitArgs {
  readonly files: readonly string[];
  readonly options: ReadonlyMap<string, string>;
}

function splitArgs(args: readonly string[]): SplitArgs {
  const files: string[] = [];
  const options = new Map<string, string>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith("-")) {
      files.push(arg);
      continue;
    }
    const [name = "", ...parts] = arg.split("=");
    if (!OPTIONS.includes(name)) throw unknownOption(name);
    if (options.has(name)) throw new ServeError(`Cannot use ${name} twice`);
    const value = parts.length > 0 ? parts.join("=") : rest.shift();
    if (value === undefined || value === "" || value.startsWith("--")) {
      throw new ServeError(`Cannot use ${name}: it needs a value`);
    }
    options.set(name, value);
  }
  return { files, options };
}

function unknownOption(name: string): ServeError {
  return new ServeError(
    `Cannot use the option "${name}": there are ${OPTIONS.join(", ")} and --help`,
  );
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new ServeError(`Cannot listen on port "${text}": it must be 0 to 65535`);
}

/** What `--help` prints. */
export const HELP = `Serves a GraphQL mock from a schema file.

  deno run -A mirage_graphql/serve.ts schema.graphql [options]

  --seed <file>   JSON file with the records; without it, some are made up that fit the types
  --port <port>   port to listen on, 4000 by default; 0 takes a free one
  --host <host>   address to listen on, 127.0.0.1 by default
  --help          prints this

Queries, mutations and subscriptions work as the field's names and types say; browsers get
GraphiQL. Both files are read again when they change, and the records with them; a file that is
broken is told of, and the last good one stays.

The seed file has lists of records by type or collection. Relations are ids, on either side, or
nested records; {} starts without records:

  {
    "people": [{ "id": 1, "name": "Ada", "posts": [{ "title": "One" }, 7] }],
    "posts": [{ "id": 7, "title": "Two" }, { "id": 8, "title": "Three", "author": 1 }]
  }
`;
