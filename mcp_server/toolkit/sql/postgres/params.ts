import { QueryRefusal, requireWholeText } from "../query_error.ts";

/** PostgreSQL's own bound (source, MAXDIM). */
const DIMENSIONS = 6;
/** What the protocol can count (manual, 55.7, Bind). */
const PARAMETERS = 65_535;

/** Writes the parameters of a statement; throws a `QueryRefusal` if the protocol can't carry one. */
export function toPostgresParams(values: readonly unknown[]): (string | null)[] {
  if (values.length > PARAMETERS) {
    throw new QueryRefusal(
      "54000",
      `Cannot send ${values.length} parameters: PostgreSQL takes ${PARAMETERS}`,
    );
  }
  return values.map((value, at) => requireWholeText(toPostgresParam(value), `parameter ${at + 1}`));
}

/**
 * Writes a parameter in PostgreSQL's text form: an array as an array of the database, an object as
 * JSON. An array of JSON is given as its text.
 */
export function toPostgresParam(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return toPostgresArray(value, 1);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function toPostgresArray(values: readonly unknown[], depth: number): string {
  if (depth > DIMENSIONS) {
    throw new QueryRefusal(
      "54000",
      `Cannot send an array with more than ${DIMENSIONS} dimensions: give JSON as its text`,
    );
  }
  const items = values.map((value): string => {
    if (Array.isArray(value)) return toPostgresArray(value, depth + 1);
    const text = toPostgresParam(value);
    return text === null ? "NULL" : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}
