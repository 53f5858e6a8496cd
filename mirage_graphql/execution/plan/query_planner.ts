import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  visit,
} from "graphql";
import { NeedsGraphQLJs } from "../../arguments/call.ts";
import { isPlannableInput } from "../../fields/plannable_fields.ts";
import { type CoercedVariables, coerceVariables } from "../../shared/graphql_versions.ts";
import { fragmentsOf, type SelectionContext } from "../../shared/selection.ts";
import { isPlainObject } from "../../shared/values.ts";
import type { ExecutePlan } from "../executor_options.ts";
import { executeFields, type FieldPlan } from "./complete_value.ts";
import { NotPlanned, type PlanParts, planSelection } from "./plan_selection.ts";

/**
 * Plans a query once, then executes the plan. A plan exists for each operation, and for each outcome
 * of its `@skip` and `@include`, if every selected field is resolved automatically.
 *
 * If anything unusual happens (an error, a promise, user-defined code), the plan is abandoned and
 * graphql-js runs the operation from the start. So a plan does nothing that can't be done twice:
 * the only user-defined code that it runs serializes scalars, or is called by JavaScript itself on
 * the values of records, such as `toJSON()`.
 */
export function createQueryPlanner(parts: PlanParts): ExecutePlan {
  const { graphQLSchema } = parts.orm;
  const plansOf = createPlansOf(parts);
  return ({ document, operation, variables: given, context }) => {
    const plans = plansOf(document, operation);
    if (plans.isGivenUp) return undefined;
    let variables: CoercedVariables | undefined;
    try {
      variables = readVariables(graphQLSchema, operation, given);
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

/** The plans of each operation, kept as long as its document, which has the fragments. */
function createPlansOf(
  parts: PlanParts,
): (document: DocumentNode, operation: OperationDefinitionNode) => OperationPlans {
  const byDocument = new WeakMap<DocumentNode, Map<OperationDefinitionNode, OperationPlans>>();
  return (document, operation) => {
    let byOperation = byDocument.get(document);
    if (byOperation === undefined) byDocument.set(document, byOperation = new Map());
    const known = byOperation.get(operation);
    if (known !== undefined) return known;
    const plans = new OperationPlans(parts, document, operation);
    byOperation.set(operation, plans);
    return plans;
  };
}

/** The fields that are selected of the query type. */
type QueryPlan = readonly FieldPlan[];

/** How many plans an operation has at most, one for each outcome of its conditions. */
const MAX_PLANS = 16;

/** How many fields a plan has at most. */
const MAX_FIELDS = 1_000;

/** The plans of one operation; `@skip` and `@include` can make several necessary. */
class OperationPlans {
  readonly #plans = new Map<string, QueryPlan | undefined>();
  readonly #parts: PlanParts;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: SelectionContext["fragments"];
  readonly #conditions: readonly string[];
  readonly #isPlannable: boolean;

  /** Stores an operation of a valid document; it is planned later. */
  constructor(parts: PlanParts, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#parts = parts;
    this.#operation = operation;
    this.#isPlannable = hasPlannableVariables(parts.orm.graphQLSchema, operation);
    this.#conditions = conditionVariables(document, operation);
    this.#fragments = fragmentsOf(document);
  }

  /** Whether it is known, before the variables are coerced, that there is no plan. */
  get isGivenUp(): boolean {
    if (!this.#isPlannable) return true;
    return this.#conditions.length === 0 && this.#plans.size > 0 && !this.#plans.get("");
  }

  /**
   * The plan for the values of variables; `undefined` if graphql-js has to execute the operation.
   */
  get(variables: CoercedVariables): QueryPlan | undefined {
    const key = this.#keyOf(variables);
    if (this.#plans.has(key) || this.#plans.size >= MAX_PLANS) return this.#plans.get(key);
    const plan = this.#plan(variables);
    this.#plans.set(key, plan);
    return plan;
  }

  /** Discards a plan that has turned out to need something that can't be planned. */
  giveUp(variables: CoercedVariables): void {
    this.#plans.set(this.#keyOf(variables), undefined);
  }

  #keyOf({ byName }: CoercedVariables): string {
    return this.#conditions.map((name) => byName[name]).join();
  }

  #plan({ values }: CoercedVariables): QueryPlan | undefined {
    const { graphQLSchema } = this.#parts.orm;
    const queryType = graphQLSchema.getQueryType();
    const context = {
      ...this.#parts,
      graphQLSchema,
      fragments: this.#fragments,
      variables: values,
      fieldsLeft: MAX_FIELDS,
    };
    try {
      return queryType
        ? planSelection(context, queryType, [this.#operation.selectionSet])
        : undefined;
    } catch (error) {
      if (error instanceof NotPlanned) return undefined;
      throw error;
    }
  }
}

/** The variables of an operation that `@skip` and `@include` may use. */
function conditionVariables(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly string[] {
  const asked = new Set<string>();
  visit(document, {
    Directive({ name, arguments: given }) {
      if (name.value !== "skip" && name.value !== "include") return;
      for (const { value } of given ?? []) {
        if (value.kind === Kind.VARIABLE) asked.add(value.name.value);
      }
    },
  });
  return variableDefinitions.map(({ variable }) => variable.name.value)
    .filter((name) => asked.has(name));
}

const NO_VARIABLES: CoercedVariables = Object.freeze({ values: undefined, byName: {} });

/**
 * Coerces the variables of a request.
 *
 * @throws {NeedsGraphQLJs} If they don't fit the operation, or can be read only once.
 */
function readVariables(
  graphQLSchema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>> | null | undefined,
): CoercedVariables {
  if (variableDefinitions.length === 0) return NO_VARIABLES;
  if (!Object.values(given ?? {}).every(isPlannableValue)) throw new NeedsGraphQLJs();
  const coerced = coerceVariables(graphQLSchema, variableDefinitions, given ?? {});
  if (coerced === undefined) throw new NeedsGraphQLJs();
  return coerced;
}

/** Whether graphql-js reads all variables of an operation without user-defined code. */
function hasPlannableVariables(
  graphQLSchema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): boolean {
  return variableDefinitions.every(({ type }) =>
    isPlannableInput(graphQLSchema.getType(nameOf(type)))
  );
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

/** Whether a value can be read twice; an iterator can't. */
function isPlannableValue(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every(isPlannableValue)
    : typeof value !== "object" || value === null ||
      isPlainObject(value) && Object.values(value).every(isPlannableValue);
}
