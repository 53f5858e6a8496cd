import { withCommon } from "../../common_conventions.ts";
import { parseConventions } from "../../dialects/options.ts";
import { checkCors } from "../../fetch/cors.ts";
import { checkBatch } from "../../request/http_request.ts";
import { nearestName } from "../../schema/nearest_name.ts";
import { ServeError } from "../serve_error.ts";
import { parseLatency } from "./latency.ts";
import type { ServeConfig } from "./serve_config.ts";

/** Whether a value is valid for a key, and what would be. */
interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly what: string;
}

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isFunction = (value: unknown) => typeof value === "function";
const isTexts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText);
const isStatus = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599;

const OBJECT: Rule = { fits: isObject, what: "an object" };

/** Checked with the handlers' own options. */
const CONVENTION: Rule = { fits: () => true, what: "" };

const RULES: { readonly [Key in keyof Required<ServeConfig>]: Rule } = {
  schema: {
    fits: (value) => isText(value) || isTexts(value),
    what: "a path, a glob, a URL or a list of paths",
  },
  headers: {
    fits: (value) => isObject(value) && Object.values(value).every(isText),
    what: "an object of texts by header",
  },
  seeds: {
    fits: (value) => isObject(value) || isFunction(value),
    what: "an object with lists of records, or a function of the server",
  },
  models: { ...OBJECT, what: "an object of Mirage models by name" },
  factories: { ...OBJECT, what: "an object of Mirage factories by name" },
  resolvers: { ...OBJECT, what: "an object of resolvers by type and field" },
  context: {
    fits: (value) => isObject(value) || isFunction(value),
    what: "an object, or a function of the request",
  },
  latency: {
    fits: (value) =>
      isFunction(value) || isText(value) && parseLatency(String(value)) !== undefined ||
      typeof value === "number" && parseLatency(String(value)) !== undefined,
    what: 'a number of milliseconds, a range such as "100..400", or a function of the operation',
  },
  batch: { fits: isBatch, what: "true, false or { max }, a whole number" },
  fail: {
    fits: (value) =>
      isObject(value) && Object.values(value).every((one) => [one].flat().every(isStatus)),
    what: "an object of HTTP statuses from 400 to 599 by operation",
  },
  origins: { fits: isOrigins, what: 'a list of origins such as "http://localhost:5173"' },
  host: { fits: isText, what: "an address" },
  port: {
    fits: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
    what: "an integer from 0 to 65535",
  },
  conventions: CONVENTION,
  unknownArguments: CONVENTION,
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
  const rule = Object.entries(RULES).find(([name]) => name === key)?.[1];
  if (rule === undefined) {
    const names = Object.keys(RULES);
    const nearest = nearestName(key, names);
    const advice = nearest === undefined
      ? `the keys are ${names.join(", ")}`
      : `did you mean "${nearest}"`;
    throw new ServeError(`Cannot use "${key}": there is no such key; ${advice}`);
  }
  if (value === undefined || rule.fits(value)) return;
  const text = isFunction(value) ? "a function" : JSON.stringify(value) ?? String(value);
  throw new ServeError(`Cannot use "${key}" with ${text.slice(0, 80)}: it must be ${rule.what}`);
}

function isBatch(value: unknown): boolean {
  if (typeof value === "boolean") return true;
  return isObject(value) && "max" in value && typeof value.max === "number" &&
    isAccepted(() => checkBatch({ batch: { max: Number(value.max) } }));
}

function isOrigins(value: unknown): boolean {
  return isTexts(value) && Array.isArray(value) &&
    isAccepted(() => checkCors({ origins: value.map(String) }));
}

function isAccepted(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
