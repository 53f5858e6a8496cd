/**
 * Writes a parameter in PostgreSQL's text form: an array as an array of the database, an object as
 * JSON. An array of JSON is given as its text.
 */
export function toPostgresParam(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return toPostgresArray(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function toPostgresArray(values: readonly unknown[]): string {
  const items = values.map((value): string => {
    if (Array.isArray(value)) return toPostgresArray(value);
    const text = toPostgresParam(value);
    return text === null ? "NULL" : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}
