import { parseArgs } from "node:util";
import { ServeError } from "../serving/serve_error.ts";

/** What a check is told. */
export interface CheckArgs {
  /** The app's files: paths, folders and globs. */
  readonly sources: readonly string[];
  /** The files of the schema. */
  readonly schema: readonly string[];
  /** The module with the settings of the mock. */
  readonly config: string | undefined;
  /** The file for the stubs, `-` for the standard output. */
  readonly stubs: string | undefined;
  /** Whether an operation without an answer is a failure. */
  readonly strict: boolean;
  /** Whether the report is JSON. */
  readonly json: boolean;
}

const OPTIONS = {
  schema: { type: "string", multiple: true },
  config: { type: "string" },
  stubs: { type: "string" },
  strict: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/**
 * Parses the command's arguments; `undefined` if they request help.
 *
 * @throws {ServeError} If an option is unknown or has no value, or if no file or no schema is named.
 */
export function parseCheckArgs(args: readonly string[]): CheckArgs | undefined {
  if (args.includes("--help") || args.includes("-h")) return undefined;
  const { values, positionals: sources } = parse(args);
  const { schema = [], config, stubs, strict = false, json = false } = values;
  if (sources.length === 0) {
    throw new ServeError("Cannot check: name the files of the app, or see --help");
  }
  if (schema.length === 0 && config === undefined) {
    throw new ServeError("Cannot check: name the schema, --schema schema.graphql, or see --help");
  }
  const empty = [...schema, config, stubs, ...sources].find((value) => value?.trim() === "");
  if (empty !== undefined) throw new ServeError("Cannot check: an argument is empty");
  if (json && stubs === "-") {
    throw new ServeError('Cannot use --stubs "-" with --json: both would print to the same output');
  }
  return { sources, schema, config, stubs, strict, json };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split(". ");
    throw new ServeError(`Cannot use the arguments: ${reason.replace(/\.$/, "")}; see --help`, {
      cause,
    });
  }
}

/** What `--help` prints. */
export const CHECK_HELP =
  `Runs an app's own operations against a mock that is made from the schema, with sample records and
made-up variables, and says which answer, which don't and why.

  check 'src/**/*.{ts,tsx,vue,graphql}' --schema schema.graphql [options]

  --schema <file>   the schema: files in the schema definition language, folders and globs of them,
                    or the result of an introspection query as JSON; repeatable
  --config <file>   module with settings of the mock, as for serve: conventions, resolvers, models
  --stubs <file>    writes a resolver for each field that needs one to a module in TypeScript, or in
                    JavaScript if its name ends with .js or .mjs; - prints it instead of the report
  --strict          exits with 1 if an operation does not answer
  --json            prints the report as JSON
  --help            prints this

Operations are templates with the tag gql or graphql, calls of these, templates after the comment
GraphQL, files that end with .graphql or .gql, scripts of Vue and Svelte, and the documents that
GraphQL Code Generator writes. Fragments may be in other files.

It exits with 0, with 1 as --strict says, and with 2 if a file can't be read or an argument is wrong.
`;
