import type { GraphQLResolveInfo } from "graphql";

/** The four arguments of a field resolver. */
export interface ResolverCall {
  readonly source: unknown;
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments without those that a default of the schema has set; only in planned calls. */
  readonly givenArgs?: Readonly<Record<string, unknown>>;
  readonly context: unknown;
  /** What graphql-js says about the field; reading it in a planned call throws. */
  readonly info: GraphQLResolveInfo;
  /**
   * Whether a plan makes the call. graphql-js may repeat it, so it must not run user-defined code
   * or wait for anything: it throws `NeedsGraphQLJs` before.
   */
  readonly isPlanned?: boolean;
}

/** Resolves one field for one parent. */
export type Resolve = (call: ResolverCall) => unknown;

/**
 * Ends the execution of a plan when only graphql-js can continue, for example with an error, or
 * with user-defined code that must run once.
 */
export class NeedsGraphQLJs extends Error {}
