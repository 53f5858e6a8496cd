/**
 * Dialects, which say how widespread APIs name their arguments, fields and mutations, and what makes
 * one of an object.
 *
 * @module
 */
export * from "./mock/built_in_dialects.ts";
export type * from "./dialects/dialect.ts";
