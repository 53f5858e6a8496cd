import { GraphQLError } from "graphql";
import { type Outcome, refuse } from "./outcome.ts";
import { isPassedResponse } from "./passed_response.ts";
import type { PlannedFailure } from "./planned_failures.ts";

/** What comes of an operation that was told to fail. */
export function failureOutcome(failure: PlannedFailure): Outcome {
  if (typeof failure === "number") return refuse(failure, `HTTP status ${failure}`);
  if (isPassedResponse(failure)) return { kind: "response", response: failure };
  return { kind: "result", result: { errors: [toGraphQLError(failure)], data: null } };
}

function toGraphQLError(
  error: Exclude<PlannedFailure, number | { toRackResponse(): unknown } | Response>,
): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const extensions = "extensions" in error ? error.extensions : undefined;
  const originalError = error instanceof Error ? error : undefined;
  return new GraphQLError(error.message, { originalError, extensions });
}
