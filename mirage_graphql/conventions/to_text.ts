/** The text to compare by: 1 equals "1"; dates and objects are compared as JSON. */
export function toText(value: unknown): string {
  if (value instanceof Date) return value.toJSON();
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
