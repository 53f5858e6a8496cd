import type { Dialect } from "./dialect.ts";

/**
 * Checks a dialect that a user has written.
 *
 * @throws {TypeError} If it has a key or a value that no dialect has; the message lists those that it may have.
 */
export function checkDialect(dialect: Dialect): void {
  if (typeof dialect !== "object" || dialect === null || typeof dialect.name !== "string") {
    throw new TypeError(`Cannot use the dialect "${dialect}": it has no name`);
  }
}
