import type { QueryError } from "./sql_session.ts";

/** SQLSTATE "connection failure" (PostgreSQL manual, appendix A). */
export const CONNECTION_LOST = "08006";

/**
 * Reads what an engine or a socket reported. Of PostgreSQL's fields it takes those that help the
 * caller, and an error that tells no code gets `fallback`.
 */
export function toQueryError(error: unknown, fallback: string = CONNECTION_LOST): QueryError {
  const cause = firstOf(error);
  const read = (key: string): string | undefined => {
    if (typeof cause !== "object" || cause === null) return undefined;
    const value: unknown = Reflect.get(cause, key);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [detail, hint, position] = [read("detail"), read("hint"), Number(read("position"))];
  return {
    code: read("code") ?? fallback,
    message: read("message") ?? String(cause),
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
    ...(position > 0 ? { position } : {}),
  };
}

/** A name with several addresses fails with one error for each. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}
