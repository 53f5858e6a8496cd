/**
 * Checks which operations of an app a mock of its schema answers:
 * `deno run -A mirage_graphql/check.ts 'src/**\/*.{ts,tsx,graphql}' --schema schema.graphql`.
 *
 * @module
 */
import { writeFile } from "node:fs/promises";
import { type CheckHost, runCheck } from "./checking/run_check.ts";
import { loadConfig } from "./serving/load_config.ts";
import { findSchemaFiles, readFile, reasonOf } from "./serving/schema_files.ts";
import { toServeError } from "./serving/serve_error.ts";

const HOST: CheckHost = {
  findFiles: async (sources, endings) => (await findSchemaFiles(sources, endings)).files,
  readFile,
  async writeFile(path, text) {
    try {
      await writeFile(path, text);
    } catch (error) {
      throw toServeError(path, [`Cannot write the file: ${reasonOf(error)}`]);
    }
  },
  loadConfig,
  print: console.log,
  error: console.error,
};

if (import.meta.main) Deno.exit(await runCheck(Deno.args, HOST));
