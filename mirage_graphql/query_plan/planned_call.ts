import type { GraphQLResolveInfo } from "graphql";
import type { FieldCall } from "../resolvers/resolver_call.ts";
import { NeedsGraphQLJs } from "../resolvers/needs_graphql_js.ts";

/** The call of a resolver that asks for no more than the parent and the arguments. */
export class PlannedCall implements FieldCall {
  readonly isPlanned = true;

  /** Takes what every resolver gets. */
  constructor(
    readonly source: unknown,
    readonly args: FieldCall["args"],
    readonly context: unknown,
  ) {}

  get info(): GraphQLResolveInfo {
    throw new NeedsGraphQLJs();
  }
}
