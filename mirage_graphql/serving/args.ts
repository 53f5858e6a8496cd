import { parseArgs } from "node:util";
import { nearestName } from "../schema/nearest_name.ts";
import { type OptionValues, parseOptions } from "./config/parse_options.ts";
import type { ServeConfig } from "./config/serve_config.ts";
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
