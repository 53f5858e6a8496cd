import { GraphQLError } from "graphql";

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
