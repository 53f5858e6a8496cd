import * as z from "zod";
import {
  holdsFew,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  nestsDeeper,
} from "../shared/json.ts";
import { sampleMisfits } from "./misfit_sample.ts";

/**
 * A schema that validates values and provides its own JSON Schema: the Standard Schema and Standard
 * JSON Schema interfaces (standardschema.dev, version 1), which zod 4.2 and newer implement.
 */
export interface StandardSchema<Output = unknown> {
  /** The standard's properties. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      readonly input: (options: { target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { target: "draft-2020-12" }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** A valid value, or what is wrong with it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** Keys that lead to the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Argument names and their zod schemas. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** A schema, or the shape of one; a shape of arguments rejects keys that it does not name. */
export type SchemaLike = Shape | StandardSchema;

/** The output type of a schema or shape. */
export type OutputOf<S> = S extends StandardSchema<infer Output> ? Output
  : S extends Shape ? z.output<z.ZodObject<{ -readonly [Key in keyof S]: S[Key] }>>
  : undefined;

/** A prepared schema. */
interface ReadySchema {
  /** Its JSON Schema. */
  readonly json: JsonObject;
  validate(value: unknown): Validation | Promise<Validation>;
}

/**
 * Prepares a schema for use. Throws a `TypeError` that says what to do if it has no JSON Schema: a
 * zod 3 schema, or one with a type that JSON can't represent, such as `z.date()`. One that is known to
 * have it is converted when that is first read, because it takes a third of the time to load a tool.
 */
export function toReadySchema(
  schema: SchemaLike,
  view: SchemaView,
  { isKnown = false }: { readonly isKnown?: boolean } = {},
): ReadySchema {
  const isWhole = isStandardSchema(schema);
  const standard = isWhole ? schema : toStandardSchema(schema, view);
  const convert = () => {
    const converted = toJsonSchema(standard, view);
    return isWhole ? converted : toPortableSchema(converted, view);
  };
  let json = isKnown ? undefined : convert();
  const ready: ReadySchema = {
    get json() {
      return json ??= convert();
    },
    validate: (value) => validateWithin(standard, ready, value),
  };
  return ready;
}

/** Whether a value is a Standard Schema and not a shape. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (typeof value === "object" || typeof value === "function") && value !== null &&
    "~standard" in value;
}

/** Whether a value is a shape and not tool annotations: every value of a shape is a schema. */
export function isShape(value: unknown): value is Shape {
  return isJsonObject(value) &&
    Object.values(value).every((entry) => isStandardSchema(entry) || isZod3(entry));
}

function toStandardSchema(shape: Shape, view: SchemaView): StandardSchema {
  for (const [key, value] of Object.entries(shape)) {
    if (isZod3(value)) {
      throw new TypeError(
        `Cannot use the schema of "${key}": it is made by zod 3, use zod 4.2 or newer`,
      );
    }
  }
  // As its JSON Schema says, an output may have more keys than it names.
  return view === "output" ? z.object(shape) : z.strictObject(shape);
}

function toJsonSchema(schema: StandardSchema, view: SchemaView): JsonObject {
  const convert = schema["~standard"].jsonSchema?.[view];
  if (convert === undefined) {
    const { vendor } = schema["~standard"];
    throw new TypeError(
      `Cannot use a schema of "${vendor}": it provides no JSON Schema, use zod 4.2 or newer`,
    );
  }
  const converted = convert({ target: "draft-2020-12" });
  const json: unknown = JSON.parse(JSON.stringify(converted));
  if (!isJsonObject(json)) {
    throw new TypeError("Cannot use a schema: its JSON Schema is not an object");
  }
  return json;
}

function isZod3(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_def" in value && !("_zod" in value);
}

/** Most issues that a validation reports. */
const MOST_ISSUES = 100;
/**
 * Most levels of lists and objects in a value; later recursive code needs a stack frame for each.
 */
const MOST_LEVELS = 128;
/** So few values are validated without a sample; they can't nest deeper than the allowed levels. */
const FEW_VALUES = MOST_LEVELS;
/** Most characters of a message, and of a key in a path, which may repeat what was sent. */
const MOST_CHARS = { message: 1_000, key: 200 };

/** Validates in time proportional to the size of the value, however much of it is wrong. */
function validateWithin(
  standard: StandardSchema,
  ready: Pick<ReadySchema, "json">,
  value: unknown,
): Validation | Promise<Validation> {
  if (holdsFew(value, FEW_VALUES)) return validateWhole(standard, value);
  if (nestsDeeper(value, MOST_LEVELS)) {
    const message = `Too deep: expected at most ${MOST_LEVELS} levels of lists and objects`;
    return { ok: false, issues: [{ path: [], message }] };
  }
  const sample = sampleMisfits(ready.json, value, MOST_ISSUES);
  if (sample.misfits <= MOST_ISSUES) return validateWhole(standard, value);
  // Schemas that convert their input may accept more than their JSON Schema says.
  const rest = sample.misfits - MOST_ISSUES;
  const verdict = validateWhole(standard, sample.value);
  const decide = (decided: Validation) =>
    decided.ok
      ? validateWhole(standard, value)
      : { ...decided, more: Math.max(rest, decided.more ?? 0) };
  return verdict instanceof Promise ? verdict.then(decide) : decide(verdict);
}

function validateWhole(
  standard: StandardSchema,
  value: unknown,
): Validation | Promise<Validation> {
  const result = standard["~standard"].validate(value);
  return result instanceof Promise ? result.then(toValidation) : toValidation(result);
}

function toValidation(result: StandardResult<unknown>): Validation {
  if (result.issues === undefined) return { ok: true, value: result.value };
  const issues = result.issues.slice(0, MOST_ISSUES).map(toIssue);
  const more = result.issues.length - issues.length;
  return { ok: false, issues, ...(more > 0 ? { more } : {}) };
}

function toIssue(issue: StandardIssue): Issue {
  const path = (issue.path ?? []).map((step) => typeof step === "object" ? step.key : step);
  return {
    path: path.map((key) => typeof key === "number" ? key : shorten(String(key), MOST_CHARS.key)),
    message: shorten(issue.message, MOST_CHARS.message),
  };
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}...` : text;
}

/** One thing that is wrong with the arguments of a call. */
export interface Issue {
  /** Keys and positions that lead to the value. */
  readonly path: readonly (string | number)[];
  /** What is wrong with it. */
  readonly message: string;
}

/** Typed arguments, or what is wrong with them. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false;
    /** At most 100 of the issues. */
    readonly issues: readonly Issue[];
    /** How many more issues there are. @default {0} */
    readonly more?: number;
  };

/** Whether a schema describes a tool's input or its output. */
type SchemaView = "input" | "output";

/** JSON Schema that clients assume if a schema names none (MCP specification, "JSON Schema"). */
const DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Keywords that contain a schema, a list of schemas, and schemas by name (JSON Schema Core, 10).
 */
const HOLDS_ONE = new Set(["items", "additionalProperties", "contains", "not"]);
const HOLDS_LIST = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const HOLDS_MAP = new Set(["properties", "$defs"]);

/** Keywords that apply to a schema as a whole, whatever the type. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated"]);

/**
 * Rewrites the JSON Schema that zod generates from a shape so that every model provider accepts it,
 * in few bytes, because each client sends it to its model:
 *
 * - several types are in `anyOf`, not in one `type`;
 * - `propertyNames` is left to the check of a call: Gemini rejects a whole list of tools because of
 *   it;
 * - the dialect and the bounds of all JSON integers are implied;
 * - an output may have more keys than it names, so that clients that check it accept those of a
 *   later version; an object without named keys says so, because generators of types would call it
 *   empty.
 */
export function toPortableSchema(schema: JsonObject, view: SchemaView): JsonObject {
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isImplied(key, value))
      .map(([key, value]) => [key, rewrite(key, value, view)]),
  );
  if (Array.isArray(type)) return withTypesApart(type, rest);
  const written = { ...(type === undefined ? {} : { type }), ...rest };
  return view === "output" && type === "object" ? openObject(written) : written;
}

/** Integers that every JSON implementation represents exactly (RFC 8259, section 6). */
function isImplied(key: string, value: unknown): boolean {
  return (key === "$schema" && value === DEFAULT_DIALECT) ||
    (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
    (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
    key === "propertyNames";
}

function rewrite(key: string, value: JsonValue | undefined, view: SchemaView) {
  const inner = (part: JsonValue | undefined) =>
    isJsonObject(part) ? toPortableSchema(part, view) : part;
  if (HOLDS_LIST.has(key) && Array.isArray(value)) return value.map((part) => inner(part) ?? null);
  if (HOLDS_MAP.has(key) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]));
  }
  return HOLDS_ONE.has(key) ? inner(value) : value;
}

function withTypesApart(types: readonly JsonValue[], rest: JsonObject): JsonObject {
  const isAbout = ([key]: [string, unknown]) => ANNOTATIONS.has(key);
  const about = Object.fromEntries(Object.entries(rest).filter(isAbout));
  const checks = Object.fromEntries(Object.entries(rest).filter((entry) => !isAbout(entry)));
  const options = types.map((type) => type === "null" ? { type } : { type, ...checks });
  return { anyOf: options, ...about };
}

function openObject({ additionalProperties, properties, ...rest }: JsonObject): JsonObject {
  if (isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0) {
    return { ...rest, ...(properties === undefined ? {} : { properties }), additionalProperties };
  }
  const named = isJsonObject(properties) && Object.keys(properties).length > 0;
  return named ? { ...rest, properties } : { ...rest, additionalProperties: true };
}

/** What is wrong with a value. */
export type Invalid = Omit<Validation & { readonly ok: false }, "ok">;

/** How many issues a message names. */
const MOST_NAMED = 5;

/** Says what is wrong with a value, on one line. */
export function describeIssues({ issues, more = 0 }: Invalid): string {
  const lines = issues.slice(0, MOST_NAMED).map(({ path, message }) =>
    path.length === 0 ? message : `${path.join(".")}: ${message}`
  );
  const rest = issues.length - lines.length + more;
  return lines.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

/** Throws a `TypeError` if a tool's output breaks the tool's own schema; a fault of the tool. */
export function ensureOutput(tool: string, output: Validation | undefined): void {
  if (output?.ok !== false) return;
  throw new TypeError(
    `Cannot answer for "${tool}": its output is wrong, ${describeIssues(output)}`,
  );
}
