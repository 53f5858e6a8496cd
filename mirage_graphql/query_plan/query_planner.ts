import type { DocumentNode, OperationDefinitionNode } from "graphql";
import type { AnswerQuery } from "../request/executor_options.ts";
import { NotPlanned } from "./collect_fields.ts";
import { answerFields } from "./complete_value.ts";
import { OperationPlans } from "./operation_plans.ts";
import type { PlanParts } from "./plan_selection.ts";
import { coerceVariables, type RequestVariables } from "./variables.ts";

/**
 * Answers queries whose every field is resolved automatically by a plan that is made once for each
 * operation, and for each outcome of its conditions. Whatever is out of the ordinary, be it an error,
 * a promise or code of the host's, is left to graphql-js, which begins anew. So a plan does nothing
 * that can't be done twice: of the host's it runs no more than how scalars are serialized, and what
 * JavaScript calls by itself on the values of records, such as `toJSON()`.
 */
export function createQueryPlanner(parts: PlanParts): AnswerQuery {
  const { graphQLSchema } = parts.orm;
  if (isIncremental(parts)) return () => undefined;
  const plansOf = createPlansOf(parts);
  return ({ document, operation, variables: given, context }) => {
    const plans = plansOf(document, operation);
    if (plans.isGivenUp) return undefined;
    let variables: RequestVariables | undefined;
    try {
      variables = coerceVariables(graphQLSchema, operation, given);
      const plan = plans.get(variables);
      return plan &&
        answerFields(plan, undefined, { context, variables: variables.values, args: new Map() });
    } catch (error) {
      if (error instanceof NotPlanned && variables !== undefined) plans.giveUp(variables);
      return undefined; // whichever error it is, graphql-js tells of it
    }
  };
}

/** graphql 17 refuses all queries on a schema that declares these, and is to do so. */
function isIncremental({ orm: { graphQLSchema } }: PlanParts): boolean {
  return ["defer", "stream"].some((name) => graphQLSchema.getDirective(name) !== undefined);
}

/** The plans of each operation; it belongs to its document, which holds its fragments. */
function createPlansOf(
  parts: PlanParts,
): (document: DocumentNode, operation: OperationDefinitionNode) => OperationPlans {
  const byDocument = new WeakMap<DocumentNode, Map<OperationDefinitionNode, OperationPlans>>();
  return (document, operation) => {
    const byOperation = byDocument.get(document) ??
      new Map<OperationDefinitionNode, OperationPlans>();
    byDocument.set(document, byOperation);
    const known = byOperation.get(operation);
    if (known !== undefined) return known;
    const plans = new OperationPlans(parts, document, operation);
    byOperation.set(operation, plans);
    return plans;
  };
}
