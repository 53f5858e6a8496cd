/**
 * Serves a mock from a GraphQL schema: `deno run -A mirage_graphql/serve.ts schema.graphql`.
 *
 * @module
 */
import { HELP, parseServeArgs } from "./serving/args.ts";
import { serveMock } from "./serving/mock_service.ts";
import { ServeError } from "./serving/serve_error.ts";

export type { FieldValue, TypeValues } from "./seeding/generate_tables.ts";
export type { RecordCount } from "./seeding/generate_values.ts";
export type {
  MirageOptions,
  MirageServer,
  SeedLists,
  ServeConfig,
} from "./serving/serve_config.ts";

async function main(): Promise<void> {
  const args = parseServeArgs(Deno.args);
  if (args === undefined) return console.log(HELP.trimEnd());
  // Windows has no SIGTERM
  const signals = Deno.build.os === "windows"
    ? ["SIGINT"] as const
    : ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) {
    Deno.addSignalListener(signal, () => Deno.exit(0));
  }
  await serveMock(args, { info: console.log, error: console.error });
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof ServeError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  }
}
