import { checkCors } from "../../fetch/cors.ts";
import { ServeError } from "../serve_error.ts";
import { reasonOf } from "../sources/read_file.ts";
import { parseLatency } from "./latency.ts";
import type { ServeConfig } from "./serve_config.ts";

/** The values of options of the command line, in their order. */
export type OptionValues = ReadonlyMap<string, readonly string[]>;

type Parsers = Readonly<Record<string, (values: readonly string[]) => ServeConfig>>;

/** The values by option; each is a text that is not empty. */
const PARSERS: Parsers = {
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
export function parseOptions(options: OptionValues): ServeConfig {
  const parts = [...options].map(([name, values]) => PARSERS[name]?.(values));
  return Object.assign({}, ...parts);
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
