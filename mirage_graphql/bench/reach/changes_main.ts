/**
 * Shows what each mutation of an app changes in a mock of its schema, to judge by reading:
 * `deno run -A mirage_graphql/bench/reach/changes_main.ts --schema schema.graphql 'src/**'`.
 *
 * @module
 */
import { parseCheckArgs } from "../../checking/check_args.ts";
import { prepareMocks } from "../../checking/checked_mock.ts";
import { collectOperations } from "../../checking/collect_operations.ts";
import { readDocuments } from "../../checking/read_documents.ts";
import { loadConfig } from "../../serving/load_config.ts";
import { readSchema } from "../../serving/read_schema.ts";
import { findSchemaFiles, readFile } from "../../serving/schema_files.ts";
import { changesText, tryMutation } from "./mutation_changes.ts";

const ENDINGS = /\.([cm]?[jt]sx?|vue|svelte|graphqls?|gql)$/i;

const args = parseCheckArgs(Deno.args);
if (args === undefined) throw new Error("Cannot show changes: name --schema and the app's files");
const config = args.config === undefined ? {} : await loadConfig(args.config);
const schema = readSchema(await readAll(args.schema));
const operations = collectOperations((await readAll(args.sources)).map(readDocuments))
  .filter(({ type }) => type === "mutation");
const createMock = prepareMocks(schema, config);
let answered = 0;
for (const operation of operations) {
  const changes = await tryMutation(operation, createMock);
  if (changes.errors.length === 0) answered++;
  console.log(`${changesText(changes)}\n`);
}
console.log(`${answered} of ${operations.length} mutations answered`);

async function readAll(sources: readonly string[]) {
  return await Promise.all((await findSchemaFiles(sources, ENDINGS)).map(readFile));
}
