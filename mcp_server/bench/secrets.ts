import { inTurns } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { writeSecrets } from "../testing/secrets_file.ts";
import { Caller, toRequest } from "./load.ts";
import { start } from "./started.ts";

const ROUNDS = 15;
const MEGABYTES = 50;
const SECRETS = 100;

const COMMAND = `yes "2026-11-27T12:00:00 INFO compiled src/module_graph.ts in 12 ms" | ` +
  `head -c ${MEGABYTES}000000`;

/** Compares a long output of `exec-command` with and without secrets that are looked for in it. */
export async function benchSecrets(): Promise<Row[]> {
  await using folder = await createTempFolder();
  const secrets = Object.fromEntries(
    Array.from({ length: SECRETS }, (_, at) => [`TOKEN_${at}`, `tok_${crypto.randomUUID()}`]),
  );
  const MCP_SECRETS_FILE = await writeSecrets(folder.path, secrets);
  await using plain = await start("../main.ts", [], { MCP_PORT: "0" });
  await using masking = await start("../main.ts", [], { MCP_PORT: "0", MCP_SECRETS_FILE });
  using plainCaller = await Caller.connect(plain.url);
  using maskingCaller = await Caller.connect(masking.url);
  const args = { command: COMMAND };
  const request = toRequest(plain.url, "/api", { tool: "exec-command", args });
  const [without = NaN, masked = NaN] = await inTurns([
    () => plainCaller.call(request),
    () => maskingCaller.call(request),
  ], ROUNDS);
  return [{
    what: `${MEGABYTES} MB of output, ${SECRETS} secrets looked for / without a secrets file`,
    value: `${masked.toFixed(0)} ms`,
    ratio: masked / without,
    target: "at most 1.3",
  }];
}
