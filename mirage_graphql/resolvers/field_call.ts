import type { GraphQLResolveInfo } from "graphql";

/** The four values that a field resolver is called with. */
export interface FieldCall {
  readonly source: unknown;
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: unknown;
  readonly info: GraphQLResolveInfo;
}

/** Resolves one field for one parent. */
export type Resolve = (call: FieldCall) => unknown;
