import type { GraphQLResolveInfo } from "graphql";

/** The four values that a field resolver is called with. */
export interface ResolverCall {
  readonly source: unknown;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: unknown;
  /** What graphql-js tells of the field; that of a planned call throws. */
  readonly info: GraphQLResolveInfo;
  /**
   * Whether a plan calls. graphql-js may make the same call again, so no code of the host's may run
   * for it, and nothing be waited for: a `NeedsGraphQLJs` is thrown before.
   */
  readonly isPlanned?: boolean;
}

/** Resolves one field for one parent. */
export type Resolve = (call: ResolverCall) => unknown;

/**
 * Ends the run of a plan that has met what graphql-js alone can answer for, such as an error or code
 * of the host's that is to run once.
 */
export class NeedsGraphQLJs extends Error {
  override readonly name = "NeedsGraphQLJs";
}
