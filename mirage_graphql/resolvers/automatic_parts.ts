import type { GraphQLField, GraphQLNamedType } from "graphql";
import type { Resolve } from "./field_call.ts";

/** How a field is resolved automatically. */
export interface AutomaticField {
  /** Its resolver; `undefined` where it is a property of its parent. */
  readonly resolve: Resolve | undefined;
}

/**
 * The parts of a schema that no code of the host's has a say in, and no more of a request than the
 * arguments: whoever resolves them may do so twice.
 */
export interface AutomaticParts {
  readonly fields: ReadonlyMap<GraphQLField<unknown, unknown>, AutomaticField>;
  /** Object types that any value may have, and abstract ones whose values tell their type. */
  readonly types: ReadonlySet<GraphQLNamedType>;
}
