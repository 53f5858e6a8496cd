import type { getArgumentValues } from "graphql";
import type { FieldCall } from "../resolvers/resolver_call.ts";

/** Coerced values of an operation's variables, as graphql-js takes them. */
export type Variables = Parameters<typeof getArgumentValues>[2];

/** Values of one field's arguments. */
export type Args = FieldCall["args"];

/** What one run of a plan works with. */
export interface QueryRun {
  readonly context: unknown;
  readonly variables: Variables;
  /** Arguments by the place in the plan that they belong to: those of all parents are the same. */
  readonly args: Map<object, Args>;
}

/** Answers what the plan says of a value: of a parent, or of what was read of it. */
export type Answer = (value: unknown, run: QueryRun) => unknown;
