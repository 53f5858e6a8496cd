import { withCommon } from "../mock/common_conventions.ts";
import { parseConventions } from "../dialects/options.ts";
import { checkCors } from "../http/cors.ts";
import { nearestName } from "../schema/nearest_name.ts";
import { MAX_COUNT, parseLatency, type ServeConfig } from "./serve_config.ts";
import { ServeError } from "./serve_error.ts";

/** Whether a key may have a value, and what to write about one that it may not have. */
interface Setting {
  readonly accepts: (value: unknown) => boolean;
  readonly about: string;
}

/** Checked with the handlers' own options. */
const CONVENTION: Setting = { accepts: () => true, about: "a convention" };

/** The keys of a config; each describes the values that it takes. */
const SETTINGS: { readonly [Key in keyof Required<ServeConfig>]: Setting } = {
  schema: {
    accepts: (value) => isText(value) || isListOf(value, isText),
    about: "a path, a glob, a URL or a list of paths",
  },
  headers: {
    accepts: (value) => isRecordOf(value, isText),
    about: "an object of texts by header",
  },
  seeds: {
    accepts: isObjectOrFunction,
    about: "an object with lists of records, or a function of the server",
  },
  count: {
    accepts: (value) => isCount(value) || isRecordOf(value, isCount),
    about: "a whole number from 0 to 10000, or an object of them by type",
  },
  values: {
    accepts: (value) => isRecordOf(value, isObject),
    about: "an object of values by type and field",
  },
  models: { accepts: isObject, about: "an object of Mirage models by name" },
  factories: { accepts: isObject, about: "an object of Mirage factories by name" },
  resolvers: { accepts: isObject, about: "an object of resolvers by type and field" },
  context: { accepts: isObjectOrFunction, about: "an object, or a function of the request" },
  latency: {
    accepts: isLatency,
    about: 'a number of milliseconds, a range such as "100..400", or a function of the operation',
  },
  batch: { accepts: isBatch, about: "true, false or { max }, a whole number" },
  fail: {
    accepts: (value) => isRecordOf(value, (one) => isStatus(one) || isListOf(one, isStatus, 0)),
    about: "an object of HTTP statuses from 400 to 599 by operation",
  },
  origins: { accepts: areOrigins, about: 'a list of origins such as "http://localhost:5173"' },
  host: { accepts: isText, about: "an address" },
  port: {
    accepts: (value) => isWhole(value, 0, 65_535),
    about: "an integer from 0 to 65535",
  },
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
  if (value === undefined || setting.accepts(value)) return;
  const text = typeof value === "function" ? "a function" : JSON.stringify(value) ?? String(value);
  throw new ServeError(
    `Cannot use "${key}" with ${text.slice(0, 80)}: it must be ${setting.about}`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isObjectOrFunction(value: unknown): boolean {
  return isObject(value) || typeof value === "function";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isCount(value: unknown): boolean {
  return isWhole(value, 0, MAX_COUNT);
}

function isStatus(value: unknown): boolean {
  return isWhole(value, 400, 599);
}

function isBatch(value: unknown): boolean {
  if (typeof value === "boolean") return true;
  return isObject(value) && "max" in value && isWhole(value.max, 1, Number.MAX_SAFE_INTEGER);
}

function isLatency(value: unknown): boolean {
  if (typeof value === "function") return true;
  return (typeof value === "number" || isText(value)) && parseLatency(String(value)) !== undefined;
}

function isListOf(value: unknown, accepts: (one: unknown) => boolean, min = 1): boolean {
  return Array.isArray(value) && value.length >= min && value.every(accepts);
}

function isRecordOf(value: unknown, accepts: (one: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(accepts);
}

function areOrigins(value: unknown): boolean {
  if (!Array.isArray(value) || !isListOf(value, isText)) return false;
  try {
    checkCors({ origins: value });
    return true;
  } catch {
    return false;
  }
}
