import type { DocumentNode, OperationDefinitionNode } from "graphql";
import type { ExecutePlan } from "../request/executor_options.ts";
import { NotPlanned } from "./collect_fields.ts";
import { executeFields } from "./complete_value.ts";
import { OperationPlans } from "./operation_plans.ts";
import type { PlanParts } from "./plan_selection.ts";
import { coerceVariables, type RequestVariables } from "./variables.ts";

/**
 * Plans a query once, then executes the plan. A plan exists for each operation, and for each outcome
 * of its `@skip` and `@include`, if every selected field is resolved automatically.
 *
 * If anything unusual happens (an error, a promise, user-defined code), the plan is given up and
 * graphql-js runs the operation from the start. So a plan does nothing that can't be done twice: the
 * only user-defined code that it runs serializes scalars, or is called by JavaScript itself on the
 * values of records, such as `toJSON()`.
 */
export function createQueryPlanner(parts: PlanParts): ExecutePlan {
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
        executeFields(plan, undefined, {
          contextValue: context,
          variables: variables.values,
          args: new Map(),
        });
    } catch (error) {
      if (error instanceof NotPlanned && variables !== undefined) plans.giveUp(variables);
      return undefined; // graphql-js reports the error, whichever it is
    }
  };
}

/** graphql 17 rejects all queries on a schema that declares these directives, so it has to see them. */
function isIncremental({ orm: { graphQLSchema } }: PlanParts): boolean {
  return ["defer", "stream"].some((name) => graphQLSchema.getDirective(name) !== undefined);
}

/** The plans of each operation, kept as long as its document, which has the fragments. */
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
