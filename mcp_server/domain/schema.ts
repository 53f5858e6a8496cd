import * as z from "zod";
import { isJsonObject, type JsonObject } from "./json.ts";
import type { Issue, Validation } from "./tool.ts";

/**
 * A schema that checks values and tells its own JSON Schema: the Standard Schema and Standard JSON
 * Schema interfaces (standardschema.dev, version 1), which zod 4.2 and newer implement.
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

/** A value that fits, or what is wrong with it. */
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

/** A schema, or the shape of one; a shape refuses keys that it does not name. */
export type SchemaLike = Shape | StandardSchema;

/** The type that a schema or shape gives. */
export type OutputOf<S> = S extends StandardSchema<infer Output> ? Output
  : S extends Shape ? z.output<z.ZodObject<{ -readonly [Key in keyof S]: S[Key] }>>
  : undefined;

/** A schema made ready: its JSON Schema is computed once, when the tool is loaded. */
export interface ReadySchema {
  readonly json: JsonObject;
  validate(value: unknown): Validation | Promise<Validation>;
}

/** JSON Schema that clients assume where a schema names none (MCP specification, "JSON Schema"). */
const DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Makes a schema ready for use. Throws a `TypeError` that says what to do where it has no JSON
 * Schema: a zod 3 schema, or one with a type that JSON can't carry, such as `z.date()`.
 */
export function toReadySchema(schema: SchemaLike, view: "input" | "output"): ReadySchema {
  const standard = isStandardSchema(schema) ? schema : toStandardSchema(schema);
  const json = toJsonSchema(standard, view, isStandardSchema(schema) ? keep : leaveOutImplied);
  return {
    json,
    validate: (value) => {
      const result = standard["~standard"].validate(value);
      return result instanceof Promise ? result.then(toValidation) : toValidation(result);
    },
  };
}

/** Tells a Standard Schema from a shape. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (typeof value === "object" || typeof value === "function") && value !== null &&
    "~standard" in value;
}

/** Tells a shape from tool annotations: every value of a shape is a schema. */
export function isShape(value: unknown): value is Shape {
  return isJsonObject(value) &&
    Object.values(value).every((entry) => isStandardSchema(entry) || isZod3(entry));
}

function toStandardSchema(shape: Shape): StandardSchema {
  for (const [key, value] of Object.entries(shape)) {
    if (isZod3(value)) {
      throw new TypeError(
        `Cannot use the schema of "${key}": it is made by zod 3, use zod 4.2 or newer`,
      );
    }
  }
  return z.strictObject(shape);
}

function toJsonSchema(
  schema: StandardSchema,
  view: "input" | "output",
  replacer: (key: string, value: unknown) => unknown,
): JsonObject {
  const convert = schema["~standard"].jsonSchema?.[view];
  if (convert === undefined) {
    const { vendor } = schema["~standard"];
    throw new TypeError(
      `Cannot use a schema of "${vendor}": it tells no JSON Schema, use zod 4.2 or newer`,
    );
  }
  const told = convert({ target: "draft-2020-12" });
  const json: unknown = JSON.parse(JSON.stringify(told, replacer));
  if (!isJsonObject(json)) throw new TypeError("Cannot use a schema: its JSON Schema is no object");
  return json;
}

function keep(_key: string, value: unknown): unknown {
  return value;
}

/** Keeps the list of tools short: clients assume this dialect, and integers that JSON can carry. */
function leaveOutImplied(key: string, value: unknown): unknown {
  const implied = (key === "$schema" && value === DEFAULT_DIALECT) ||
    (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
    (key === "maximum" && value === Number.MAX_SAFE_INTEGER);
  return implied ? undefined : value;
}

function isZod3(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_def" in value && !("_zod" in value);
}

function toValidation(result: StandardResult<unknown>): Validation {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(toIssue) };
}

function toIssue(issue: StandardIssue): Issue {
  const path = (issue.path ?? []).map((step) => typeof step === "object" ? step.key : step);
  return {
    path: path.map((key) => typeof key === "symbol" ? String(key) : key),
    message: issue.message,
  };
}
