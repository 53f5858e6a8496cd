import { buildASTSchema, GraphQLError, parse } from "graphql";
import type { GraphQLSchemaSource } from "@trestle/mirage-graphql";

/** A fault of the schema, or of the user's resolvers. */
export interface Problem {
  readonly message: string;
  /** Where it is, from 1; `undefined` if the fault is not at one place. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

const NO_SCHEMA = "There is no schema yet: choose an example, or paste your own";

/** More are cut off: a page of faults has one cause. */
const MAX_PROBLEMS = 20;

/**
 * Reads the text of a schema: definitions, or the JSON of an introspection.
 *
 * @throws {SyntaxError} If it begins like JSON, and is none.
 */
export function readSource(text: string): GraphQLSchemaSource {
  if (!text.trimStart().startsWith("{")) return text;
  const value: unknown = JSON.parse(text);
  if (isIntrospection(value)) return value;
  throw new SyntaxError("Cannot use the JSON as a schema: it has no __schema");
}

function isIntrospection(
  value: unknown,
): value is { readonly __schema: object } | { readonly data: { readonly __schema: object } } {
  if (typeof value !== "object" || value === null) return false;
  return "__schema" in value || "data" in value && isIntrospection(value.data);
}

/**
 * The faults because of which a schema can't be mocked, each at its line where that is known.
 *
 * @param error What starting the mock threw.
 * @param text The schema, which is read again for the places of its faults.
 */
export function problemsOf(error: unknown, text: string): Problem[] {
  if (text.trim() === "") return [{ message: NO_SCHEMA, line: undefined, column: undefined }];
  const located = locate(error, text);
  if (located.length > 0) return located.slice(0, MAX_PROBLEMS);
  const message = error instanceof Error ? error.message : String(error);
  return [{ message, ...placeInJson(message, text) }];
}

function locate(error: unknown, text: string): Problem[] {
  const own = toProblem(error);
  if (own !== undefined) return [own];
  if (text.trimStart().startsWith("{")) return [];
  try {
    buildASTSchema(parse(text));
  } catch (cause) {
    const found = toProblem(cause);
    if (found !== undefined) return [found];
    // graphql-js joins the messages of all faults; each names a type or field that the text has
    const messages = cause instanceof Error ? cause.message.split("\n\n") : [];
    return messages.map((message) => ({ message, ...placeOfName(message, text) }));
  }
  return [];
}

function toProblem(error: unknown): Problem | undefined {
  if (!(error instanceof GraphQLError)) return undefined;
  const [place] = error.locations ?? [];
  return place && { message: error.message, line: place.line, column: place.column };
}

type Place = Pick<Problem, "line" | "column">;

/** Where the last quoted name of a message is: `Unknown type "Persn".` names what is wrong last. */
function placeOfName(message: string, text: string): Place {
  const name = /"([\w.]+?)(?:\.(\w+))?(?:\(.*)?"/.exec(message);
  const [, owner = "", member] = name ?? [];
  const start = member === undefined
    ? 0
    : text.search(new RegExp(`\\b${owner}\\b[^}]*\\b${member}\\b`));
  const word = new RegExp(`\\b${member ?? owner}\\b`);
  const found = owner === "" || start < 0 ? -1 : text.slice(start).search(word);
  return found < 0 ? { line: undefined, column: undefined } : placeAt(text, start + found);
}

/** V8 writes `at position 12`, others `line 1 column 13`. */
function placeInJson(message: string, text: string): Place {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined || !text.trimStart().startsWith("{")
    ? { line: undefined, column: undefined }
    : placeAt(text, Number(position));
}

/** The line and column of an offset, from 1. */
export function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
