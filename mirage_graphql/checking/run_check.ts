import { readSchema } from "../serving/read_schema.ts";
import type { ServeConfig } from "../serving/serve_config.ts";
import { ServeError } from "../serving/serve_error.ts";
import { CHECK_HELP, type CheckArgs, parseCheckArgs } from "./check_args.ts";
import { prepareMocks } from "./checked_mock.ts";
import { collectOperations } from "./collect_operations.ts";
import { readDocuments, type SourceFile } from "./read_documents.ts";
import { type CheckResult, fieldsToWrite, isComplete, reportJson, reportText } from "./report.ts";
import { createStubRules, type StubRules } from "../stubs/stub_rules.ts";
import { writeStubModule } from "./stub_module.ts";
import { tryOperation } from "./try_operation.ts";

/** What a check needs of the system: each function rejects with a message that names the file. */
export interface CheckHost {
  /**
   * The files that paths, folders and globs name; of folders, those that `endings` fits.
   *
   * @throws {ServeError} If one of them names no file.
   */
  findFiles(sources: readonly string[], endings: RegExp): Promise<readonly string[]>;
  /**
   * Reads a file of text.
   *
   * @throws {ServeError} If it can't be read.
   */
  readFile(path: string): Promise<SourceFile>;
  /** Writes a file of text. */
  writeFile(path: string, text: string): Promise<void>;
  /** Imports the settings of a mock. */
  loadConfig(path: string): Promise<ServeConfig>;
  /** Prints to the standard output. */
  print(text: string): void;
  /** Prints an error. */
  error(text: string): void;
}

const SCHEMA_ENDINGS = /\.(graphqls?|gql)$/i;
const APP_ENDINGS = /\.([cm]?[jt]sx?|vue|svelte|astro|graphql|gql)$/i;

/**
 * Checks which operations of an app a mock of the schema answers, as `--help` says, and resolves with
 * the exit code: 0; 1 if one does not answer and `--strict` is given; 2 if a file can't be read, or an
 * argument is wrong.
 */
export async function runCheck(args: readonly string[], host: CheckHost): Promise<number> {
  try {
    const parsed = parseCheckArgs(args);
    if (parsed !== undefined) return await check(parsed, host);
    host.print(CHECK_HELP.trimEnd());
    return 0;
  } catch (error) {
    if (!(error instanceof ServeError)) throw error;
    host.error(error.message);
    return 2;
  }
}

async function check(args: CheckArgs, host: CheckHost): Promise<number> {
  const config = args.config === undefined ? {} : await host.loadConfig(args.config);
  const schemaSources = args.schema.length > 0 ? args.schema : [config.schema ?? []].flat();
  if (schemaSources.length === 0) {
    throw new ServeError("Cannot check: neither the command nor the config file names a schema");
  }
  const graphQLSchema = readSchema(await readAll(schemaSources, SCHEMA_ENDINGS, host));
  const files = await readAll(args.sources, APP_ENDINGS, host);
  const documents = files.map(readDocuments);
  const operations = collectOperations(documents);
  if (operations.length === 0) {
    throw new ServeError(`Cannot check "${args.sources.join(" ")}": there is no operation in it`);
  }
  const createMock = prepareMocks(graphQLSchema, config);
  const tried = [];
  for (const operation of operations) tried.push(await tryOperation(operation, createMock));
  const result: CheckResult = {
    schema: schemaSources.join(", "),
    files: files.length,
    operations: tried,
    faults: documents.flatMap(({ faults }) => faults),
  };
  if (args.stubs !== undefined) {
    await writeStubs(args.stubs, result, createStubRules(createMock().orm), host);
  }
  if (args.stubs !== "-") host.print(args.json ? reportJson(result) : reportText(result));
  return args.strict && !isComplete(result) ? 1 : 0;
}

async function readAll(
  sources: readonly string[],
  endings: RegExp,
  host: CheckHost,
): Promise<readonly SourceFile[]> {
  const paths = await host.findFiles(sources, endings);
  return await Promise.all(paths.map((path) => host.readFile(path)));
}

async function writeStubs(
  target: string,
  result: CheckResult,
  rules: StubRules,
  host: CheckHost,
): Promise<void> {
  const isTyped = !/\.m?js$/i.test(target);
  const text = writeStubModule(rules, fieldsToWrite(result), { isTyped });
  if (target === "-") host.print(text.trimEnd());
  else await host.writeFile(target, text);
}
