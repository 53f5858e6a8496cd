import { z } from "zod";
import { withCommon } from "../mock/common_conventions.ts";
import { parseConventions } from "../dialects/options.ts";
import { checkCors } from "../http/cors.ts";
import { nearestName } from "../schema/nearest_name.ts";
import { MAX_COUNT, parseLatency, type ServeConfig } from "./serve_config.ts";
import { ServeError } from "./serve_error.ts";

const TEXT = z.string().min(1);
const TEXTS = z.array(TEXT).min(1);
const STATUS = z.int().min(400).max(599);
const COUNT = z.int().min(0).max(MAX_COUNT);
const OBJECT = z.custom((value) => isObject(value));
const FUNCTION = z.custom((value) => typeof value === "function");
const LATENCY = z.union([TEXT, z.number()])
  .refine((value) => parseLatency(String(value)) !== undefined);
/** Checked with the handlers' own options. */
const CONVENTION = z.unknown();

/** The keys of a config; each describes the values that it takes. */
const SETTINGS: { readonly [Key in keyof Required<ServeConfig>]: z.ZodType } = {
  schema: TEXT.or(TEXTS).describe("a path, a glob, a URL or a list of paths"),
  headers: z.record(z.string(), TEXT).describe("an object of texts by header"),
  seeds: OBJECT.or(FUNCTION)
    .describe("an object with lists of records, or a function of the server"),
  count: COUNT.or(z.record(z.string(), COUNT))
    .describe("a whole number from 0 to 10000, or an object of them by type"),
  values: z.record(z.string(), OBJECT).describe("an object of values by type and field"),
  models: OBJECT.describe("an object of Mirage models by name"),
  factories: OBJECT.describe("an object of Mirage factories by name"),
  resolvers: OBJECT.describe("an object of resolvers by type and field"),
  context: OBJECT.or(FUNCTION).describe("an object, or a function of the request"),
  latency: LATENCY.or(FUNCTION).describe(
    'a number of milliseconds, a range such as "100..400", or a function of the operation',
  ),
  batch: z.boolean().or(z.object({ max: z.int().min(1) }))
    .describe("true, false or { max }, a whole number"),
  fail: z.record(z.string(), STATUS.or(z.array(STATUS)))
    .describe("an object of HTTP statuses from 400 to 599 by operation"),
  origins: TEXTS.refine(areOrigins)
    .describe('a list of origins such as "http://localhost:5173"'),
  host: TEXT.describe("an address"),
  port: z.int().min(0).max(65_535).describe("an integer from 0 to 65535"),
  conventions: CONVENTION,
  unknownArguments: CONVENTION,
  ignoreArguments: CONVENTION,
  sessions: CONVENTION,
  strict: CONVENTION,
  defaults: CONVENTION,
  ids: CONVENTION,
};

/**
 * Checks what a config file exports.
 *
 * @throws {ServeError} If it has an unknown key, or a value of the wrong type; the message names it.
 */
export function checkConfig(value: unknown): ServeConfig {
  if (!isObject(value)) {
    throw new ServeError(`Cannot use the default export "${value}": it must be an object`);
  }
  for (const [key, one] of Object.entries(value)) checkKey(key, one);
  const config: ServeConfig = value;
  parseConventions(withCommon(config));
  return config;
}

function checkKey(key: string, value: unknown): void {
  const setting = Object.entries(SETTINGS).find(([name]) => name === key)?.[1];
  if (setting === undefined) {
    const names = Object.keys(SETTINGS);
    const nearest = nearestName(key, names);
    const advice = nearest === undefined
      ? `the keys are ${names.join(", ")}`
      : `did you mean "${nearest}"`;
    throw new ServeError(`Cannot use "${key}": there is no such key; ${advice}`);
  }
  if (value === undefined || setting.safeParse(value).success) return;
  const text = typeof value === "function" ? "a function" : JSON.stringify(value) ?? String(value);
  throw new ServeError(
    `Cannot use "${key}" with ${text.slice(0, 80)}: it must be ${setting.description}`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function areOrigins(origins: readonly string[]): boolean {
  try {
    checkCors({ origins });
    return true;
  } catch {
    return false;
  }
}
