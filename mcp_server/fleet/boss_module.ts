/**
 * The package of pg-boss. Imported by a computed name only, so that a server that does not share its
 * jobs never downloads it.
 */
export { PgBoss } from "pg-boss";
