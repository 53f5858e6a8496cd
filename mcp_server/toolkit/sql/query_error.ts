import type { QueryError } from "./sql_session.ts";

/** SQLSTATE "connection failure" (PostgreSQL manual, appendix A). */
export const CONNECTION_LOST = "08006";

/** Texts of errors are cut after it: an engine quotes what it was given, however long that is. */
const TEXT_LENGTH = 2_048;

/** A query that can't be sent or answered without loss. */
export class QueryRefusal extends Error {
  override readonly name = "QueryRefusal";
  /** Of the query's error. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns a text; throws a `QueryRefusal` if it has half a surrogate pair, which UTF-8 can't hold. */
export function requireWholeText<Text extends string | null>(text: Text, what: string): Text {
  if (text === null || text.isWellFormed()) return text;
  throw new QueryRefusal("INVALID_TEXT", `Cannot send ${what}: it has half a surrogate pair`);
}

/** Cuts a text of an error that is too long. */
export function cutText(text: string): string {
  return text.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH).toWellFormed()}...` : text;
}

/**
 * Reads what an engine or a socket reported. Of PostgreSQL's fields it takes those that help the
 * caller, and an error that tells no code gets `fallback`.
 */
export function toQueryError(error: unknown, fallback: string = CONNECTION_LOST): QueryError {
  const cause = firstOf(error);
  const read = (key: string): string | undefined => {
    if (typeof cause !== "object" || cause === null) return undefined;
    const value: unknown = Reflect.get(cause, key);
    return typeof value === "string" && value !== "" ? cutText(value) : undefined;
  };
  const [detail, hint, position] = [read("detail"), read("hint"), Number(read("position"))];
  return {
    code: read("code") ?? fallback,
    message: read("message") ?? cutText(String(cause)),
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
    ...(position > 0 ? { position } : {}),
  };
}

/** A name with several addresses fails with one error for each. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}
