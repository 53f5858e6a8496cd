/**
 * Checks which operations of an app a mock of its schema answers, on Node and on Deno:
 * `npx @trestle/mirage-graphql check 'src/**\/*.{ts,tsx,graphql}' --schema schema.graphql`.
 *
 * @module
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { type CheckHost, runCheck } from "./checking/run_check.ts";
import { loadConfig } from "./serving/load_config.ts";
import { findSchemaFiles, readFile, reasonOf } from "./serving/schema_files.ts";
import { toServeError } from "./serving/serve_error.ts";

const HOST: CheckHost = {
  findFiles: findSchemaFiles,
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

/**
 * Runs the check with the arguments of the command line, and prints what it finds. Resolves with the
 * exit code: 0, 1 under `--strict` if an operation is not answered, 2 if the arguments are wrong or a
 * file can't be read.
 */
export async function check(args: readonly string[]): Promise<number> {
  return await runCheck(args, HOST);
}

// without a top-level await, CommonJS can require this module
if (import.meta.main) {
  void check(process.argv.slice(2)).then((code) => process.exitCode = code);
}
