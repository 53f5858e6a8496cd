import { GraphQLError, type GraphQLSchema } from "graphql";
import type { MirageSchema } from "../mirage.ts";
import type { ModelMap } from "../models/model_map.ts";

/** What a write needs to know of the two schemas. */
export interface WriteContext {
  /** Mirage's schema: the database and the associations of its models. */
  readonly mirageSchema: MirageSchema;
  /** The models of the GraphQL types. */
  readonly models: ModelMap;
  /** The schema that tells which types a polymorphic relation can have. */
  readonly graphQLSchema: GraphQLSchema;
}

/** The GraphQL name of a model's type, for messages; Mirage's own where GraphQL has none. */
export function labelOfModel(context: WriteContext, modelName: string): string {
  return context.models.ofModel(modelName)?.typeName ?? modelName;
}

/** `NOT_FOUND`: the record to change is not there; `BAD_USER_INPUT`: the arguments do not fit. */
export type WriteErrorCode = "NOT_FOUND" | "BAD_USER_INPUT";

/** A refused write, with its code where GraphQL clients look: in `extensions.code`. */
export function writeError(
  message: string,
  options: { readonly code?: WriteErrorCode; readonly cause?: unknown } = {},
): GraphQLError {
  const { code = "BAD_USER_INPUT", cause } = options;
  const originalError = cause instanceof Error ? cause : undefined;
  return new GraphQLError(message, { extensions: { code }, originalError });
}
