import { parseArgs } from "node:util";
import { checkCors } from "../http/cors.ts";
import { nearestName } from "../schema/nearest_name.ts";
import { reasonOf } from "./schema_files.ts";
import { MAX_COUNT, parseLatency, type ServeConfig } from "./serve_config.ts";
import { ServeError } from "./serve_error.ts";

/** The settings of the command line. */
export interface ServeArgs {
  /** Settings that a config file may also contain; these take precedence. */
  readonly given: ServeConfig;
  /** The JSON file with the records; if no other source has any, they are generated. */
  readonly seedFile: string | undefined;
  /** The module with the other settings. */
  readonly configFile: string | undefined;
}

const OPTIONS = {
  seed: { type: "string" },
  count: { type: "string", multiple: true },
  port: { type: "string" },
  host: { type: "string" },
  config: { type: "string" },
  header: { type: "string", multiple: true },
  origin: { type: "string", multiple: true },
  batch: { type: "boolean" },
  latency: { type: "string" },
  fail: { type: "string", multiple: true },
  ids: { type: "string" },
  "unknown-arguments": { type: "string" },
} as const;

/**
 * Parses the command's arguments; `undefined` if they request help.
 *
 * @throws {ServeError} If an option is unknown, repeated, or has no value or a wrong one.
 */
export function parseServeArgs(args: readonly string[]): ServeArgs | undefined {
  if (args.includes("--help") || args.includes("-h")) return undefined;
  const config = { args: [...args], options: OPTIONS, allowPositionals: true, strict: false };
  const { tokens, positionals } = parseArgs({ ...config, tokens: true });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const value = valueOf(token, values);
    values.set(token.name, [...values.get(token.name) ?? [], value]);
  }
  const [seedFile, configFile] = ["seed", "config"].map((name) => values.get(name)?.[0]);
  if (positionals.length === 0 && configFile === undefined) {
    throw new ServeError("Cannot serve: name the file with the GraphQL schema, or see --help");
  }
  const schema = positionals.length > 0 ? { schema: positionals } : {};
  return { given: { ...schema, ...parseOptions(values) }, seedFile, configFile };
}

/** An option as `parseArgs()` reads it. */
interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function valueOf(
  { name, rawName, value }: OptionToken,
  known: OptionValues,
): string {
  const option = Object.entries(OPTIONS).find(([one]) => one === name)?.[1];
  if (option === undefined) throw unknownOption(name, rawName);
  if (known.has(name) && !("multiple" in option)) {
    throw new ServeError(`Cannot use ${rawName} twice`);
  }
  if (option.type === "boolean") {
    if (value === undefined) return "";
    throw new ServeError(`Cannot use ${rawName} with "${value}": it takes no value`);
  }
  if (value === undefined || value === "" || value.startsWith("--")) {
    throw new ServeError(`Cannot use ${rawName}: it needs a value`);
  }
  return value;
}

function unknownOption(name: string, rawName: string): ServeError {
  const names = [...Object.keys(OPTIONS), "help"];
  const nearest = nearestName(name, names);
  const list = names.map((one) => `--${one}`);
  const advice = nearest === undefined ? "" : `; did you mean --${nearest}`;
  return new ServeError(
    `Cannot use the option "${rawName}": there are ${list.slice(0, -1).join(", ")} and ` +
      `${list.at(-1)}${advice}`,
  );
}

/** The values of options of the command line, in their order. */
type OptionValues = ReadonlyMap<string, readonly string[]>;

type Parsers = Readonly<Record<string, (values: readonly string[]) => ServeConfig>>;

/** The values by option; each is a text that is not empty. */
const PARSERS: Parsers = {
  count: (values) => ({ count: toCount(values) }),
  port: ([value = ""]) => ({ port: toPort(value) }),
  host: ([value]) => ({ host: value }),
  header: (values) => ({ headers: Object.fromEntries(values.map(toHeader)) }),
  origin: (values) => ({ origins: values.map(toOrigin) }),
  batch: () => ({ batch: true }),
  latency: ([value = ""]) => ({ latency: toLatency(value) }),
  fail: (values) => ({ fail: toFailures(values) }),
  ids: ([value = ""]) => ({ ids: toIdFormat(value) }),
  "unknown-arguments": ([value = ""]) => ({ unknownArguments: toUnknownArguments(value) }),
};

/**
 * Converts options of the command line to the settings of a config file.
 *
 * @throws {ServeError} If a value doesn't fit its option.
 */
function parseOptions(options: OptionValues): ServeConfig {
  const parts = [...options].map(([name, values]) => PARSERS[name]?.(values));
  return Object.assign({}, ...parts);
}

/** One number for all types, or numbers by type. */
function toCount(texts: readonly string[]): ServeConfig["count"] {
  const counts = texts.map((text) => {
    const [, typeName, number] = /^(?:([_A-Za-z]\w*)=)?(\d+)$/.exec(text) ?? [];
    if (number !== undefined && Number(number) <= MAX_COUNT) {
      return { typeName, count: Number(number) };
    }
    throw new ServeError(
      `Cannot use --count "${text}": it must be 0 to ${MAX_COUNT}, or such a number by type: Post=50`,
    );
  });
  const all = counts.filter(({ typeName }) => typeName === undefined);
  if (all.length > 0 && counts.length > 1) {
    throw new ServeError("Cannot use --count twice, unless each number is of a type: Post=50");
  }
  if (all[0] !== undefined) return all[0].count;
  return Object.fromEntries(counts.map(({ typeName = "", count }) => [typeName, count]));
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new ServeError(`Cannot listen on port "${text}": it must be 0 to 65535`);
}

/** Parses a header; its value is a secret, which no message repeats. */
function toHeader(text: string): [name: string, value: string] {
  const [, name = "", value = ""] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(text) ?? [];
  try {
    new Headers([[name, value]]);
  } catch {
    throw new ServeError(
      `Cannot send the header "${name}": write it as --header "Name: value", in one line`,
    );
  }
  return [name, value];
}

function toOrigin(text: string): string {
  if (text === "*") {
    throw new ServeError(
      'Cannot use --origin "*": without it pages of any origin may read, and with credentials ' +
        "browsers need a list",
    );
  }
  try {
    checkCors({ origins: [text] });
  } catch (error) {
    throw new ServeError(reasonOf(error), { cause: error });
  }
  return text;
}

function toLatency(text: string): ServeConfig["latency"] {
  const latency = parseLatency(text);
  if (latency !== undefined) return latency;
  throw new ServeError(
    `Cannot use --latency "${text}": it must be milliseconds such as 250, or a range such as 100..400`,
  );
}

/** The statuses of each operation, in the order of its failures. */
function toFailures(texts: readonly string[]): Record<string, number[]> {
  const failures = new Map<string, number[]>();
  for (const text of texts) {
    const [, name, status] = /^(\*|[_A-Za-z]\w*)=([45]\d\d)$/.exec(text) ?? [];
    if (name === undefined) {
      throw new ServeError(
        `Cannot use --fail "${text}": it must be an operation and an HTTP status from 400 to 599, ` +
          "such as People=503, or *=503 for any",
      );
    }
    failures.set(name, [...failures.get(name) ?? [], Number(status)]);
  }
  return Object.fromEntries(failures);
}

function toIdFormat(text: string): ServeConfig["ids"] {
  if (text === "local" || text === "global" || text === "global-base64") return text;
  throw new ServeError(`Cannot use --ids "${text}": it must be local, global or global-base64`);
}

function toUnknownArguments(text: string): "error" | "ignore" {
  if (text === "error" || text === "ignore") return text;
  throw new ServeError(`Cannot use --unknown-arguments "${text}": it must be error or ignore`);
}

/** What `--help` prints. */
export const HELP =
  `Serves a GraphQL mock from a schema: files in the schema definition language, folders and globs of
them, the result of an introspection query as JSON, or the URL of a running API.

  npx @trestle/mirage-graphql serve schema.graphql [options]
  npx @trestle/mirage-graphql serve 'schema/**/*.graphql' [options]
  npx @trestle/mirage-graphql serve https://api.example.com/graphql [options]

  --seed <file>              JSON file with the records; without it, sample records are generated
  --count <number>           sample records of each type, 5 by default; repeatable by type: Post=50
  --port <port>              port to listen on, 4000 by default; 0 takes a free one
  --host <host>              address to listen on, 127.0.0.1 by default
  --config <file>            module in TypeScript or JavaScript with models, resolvers, seeds, and
                             these options; the command line overrides them
  --header <name: value>     header of the request to the URL; repeatable
  --origin <origin>          origin whose pages may read responses and send cookies; repeatable.
                             Without it, pages of any origin may read, but send no cookies
  --batch                    accepts arrays of up to 10 requests
  --latency <ms>             milliseconds that each response takes, or a range such as 100..400
  --fail <name=status>       fails the next operation of that name (*: any) with an HTTP status;
                             repeatable
  --ids <format>             ids in responses: local (default), global (Person:1) or global-base64;
                             they are always unique across all types
  --unknown-arguments <how>  error or ignore (default) for arguments that no rule explains
  --help                     prints this

Queries, mutations and subscriptions work as the field's names and types say; browsers get
GraphiQL. When a file changes, all are read again, and the records with them; errors are reported,
and the last valid version keeps running. A URL is requested once.

The seed file has lists of records by type or collection. Relations are ids, on either side, or
nested records; non-null values that are missing are generated; {} starts without records:

  {
    "people": [{ "id": 1, "name": "Ada", "posts": [{ "title": "One" }, 7] }],
    "posts": [{ "id": 7, "title": "Two" }, { "id": 8, "title": "Three", "author": 1 }]
  }
`;
