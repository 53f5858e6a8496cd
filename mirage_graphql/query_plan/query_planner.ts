import {
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import type { Orm } from "../orm/orm.ts";
import type { AnswerQuery } from "../request/answer_query.ts";
import type { AutomaticParts } from "../resolvers/automatic_parts.ts";
import { answerFields } from "./answer_fields.ts";
import { NeedsExecutor, NotPlanned } from "./not_planned.ts";
import { OperationPlans } from "./operation_plans.ts";
import type { Variables } from "./query_run.ts";

/**
 * Answers queries whose every field is resolved automatically by a plan that is made once for each
 * operation. Whatever is out of the ordinary, be it an error, a promise or a value of the host's
 * own, is left to graphql-js's executor, which begins anew: what is planned has no side effects.
 */
export function createQueryPlanner(orm: Orm, automatic: AutomaticParts): AnswerQuery {
  const { graphQLSchema } = orm;
  const known = new WeakMap<OperationDefinitionNode, OperationPlans>();
  return ({ document, operation, variables: given, context }) => {
    if (operation.operation !== "query") return undefined;
    const plans = known.get(operation) ??
      new OperationPlans({ orm, automatic, graphQLSchema }, document, operation);
    known.set(operation, plans);
    let variables: Variables;
    try {
      variables = coerceVariables(graphQLSchema, operation, given);
      const plan = plans.get(variables);
      return plan && answerFields(plan, undefined, { context, variables, args: new Map() });
    } catch (error) {
      if (error instanceof NotPlanned) plans.giveUp(variables);
      return undefined;
    }
  };
}

/** graphql 17 has the values under `variableValues`, graphql 16 under `coerced`. */
interface CoercedVariables {
  readonly errors?: readonly GraphQLError[] | undefined;
  readonly variableValues?: Variables;
  readonly coerced?: Variables;
}

function coerceVariables(
  graphQLSchema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>> | null | undefined,
): Variables {
  if (variableDefinitions.length === 0) return undefined;
  const values: CoercedVariables = getVariableValues(
    graphQLSchema,
    variableDefinitions,
    given ?? {},
  );
  if (values.errors !== undefined) throw new NeedsExecutor();
  return values.variableValues ?? values.coerced;
}
