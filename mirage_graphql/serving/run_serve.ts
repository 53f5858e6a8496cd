import process from "node:process";
import { HELP, parseServeArgs } from "./args.ts";
import { serveMock } from "./mock_service.ts";
import { ServeError } from "./serve_error.ts";

/**
 * Runs the command `serve` until a signal ends the process: with 0, or with 1 after it has printed
 * what is wrong at the start.
 */
export async function runServe(args: readonly string[]): Promise<void> {
  try {
    const parsed = parseServeArgs(args);
    if (parsed === undefined) return console.log(HELP.trimEnd());
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => process.exit(0));
    }
    await serveMock(parsed, { info: console.log, error: console.error });
  } catch (error) {
    if (!(error instanceof ServeError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
