import { GraphQLError, type OperationDefinitionNode } from "graphql";
import type { ValidDocument } from "./document_cache.ts";
import type { GraphQLRequest, OperationInfo } from "./graphql_request.ts";
import { type Outcome, refuse } from "./outcome.ts";

/** The operation to run, or why there is none: the texts are those of graphql-js. */
export function selectOperation(
  { operations }: ValidDocument,
  name: string | null | undefined,
): OperationDefinitionNode | GraphQLError {
  const [first, second] = operations;
  if (name !== undefined && name !== null) {
    return operations.find((operation) => operation.name?.value === name) ??
      unselected(`Unknown operation named "${name}".`);
  }
  if (first === undefined) return unselected("Must provide an operation.");
  if (second === undefined) return first;
  return unselected("Must provide operation name if query contains multiple operations.");
}

function unselected(message: string): GraphQLError {
  return new GraphQLError(message);
}

/** What the log, latency and planned failures know of an operation. */
export function infoOf(
  operation: OperationDefinitionNode,
  request: Pick<GraphQLRequest, "variables">,
): OperationInfo {
  return {
    name: operation.name?.value,
    type: operation.operation,
    variables: request.variables ?? NO_VARIABLES,
  };
}

const NO_VARIABLES: Readonly<Record<string, unknown>> = Object.freeze({});

/** A subscription has no one answer; and by GraphQL over HTTP, "GET", no mutation runs there. */
export function refuseOperation(
  { name, type }: OperationInfo,
  method = "POST",
): Outcome | undefined {
  if (type === "subscription") {
    return refuse(
      400,
      `Cannot answer subscription "${name ?? "subscription"}" with one response: ` +
        "accept text/event-stream",
    );
  }
  if (type === "query" || method.toUpperCase() !== "GET") return undefined;
  return refuse(405, `Cannot run mutation "${name ?? "mutation"}" by GET: send POST`, {
    headers: { Allow: "POST" },
  });
}
