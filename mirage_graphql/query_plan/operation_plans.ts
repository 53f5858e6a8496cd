import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import type { FieldPlan } from "./answer_fields.ts";
import { hasRepeatableVariables } from "./input_types.ts";
import { NotPlanned } from "./not_planned.ts";
import { type PlanParts, planSelection } from "./plan_selection.ts";
import type { RequestVariables } from "./variables.ts";

/** The fields of the query type; `undefined` for an operation that can't be planned. */
export type QueryPlan = readonly FieldPlan[] | undefined;

/** How many outcomes of its conditions an operation has plans for; others have none. */
const MAX_PLANS = 16;

/** How many fields a plan has at most. */
const MAX_FIELDS = 1_000;

/** The plans of one operation: `@skip` and `@include` make several of it. */
export class OperationPlans {
  readonly #plans = new Map<string, QueryPlan>();
  readonly #parts: PlanParts;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #conditions: readonly string[];
  readonly #isQuery: boolean;

  /** Takes an operation of a valid document; nothing of it is planned yet. */
  constructor(parts: PlanParts, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#parts = parts;
    this.#operation = operation;
    this.#isQuery = operation.operation === "query" &&
      hasRepeatableVariables(parts.orm.graphQLSchema, operation);
    this.#conditions = conditionsOf(document, operation);
    this.#fragments = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : []
      ),
    );
  }

  /** Whether there is no plan, whatever the variables are. */
  get isGivenUp(): boolean {
    if (!this.#isQuery) return true;
    return this.#conditions.length === 0 && this.#plans.size > 0 && !this.#plans.get("");
  }

  /** The plan for the values of variables. */
  get(variables: RequestVariables): QueryPlan {
    const key = this.#keyOf(variables);
    if (this.#plans.has(key) || this.#plans.size >= MAX_PLANS) return this.#plans.get(key);
    const plan = this.#plan(variables);
    this.#plans.set(key, plan);
    return plan;
  }

  /** Gives a plan up which turned out to hold what can't be planned. */
  giveUp(variables: RequestVariables): void {
    this.#plans.set(this.#keyOf(variables), undefined);
  }

  #keyOf({ byName }: RequestVariables): string {
    return this.#conditions.map((name) => Number(byName[name] === true)).join("");
  }

  #plan({ values }: RequestVariables): QueryPlan {
    const { graphQLSchema } = this.#parts.orm;
    const queryType = graphQLSchema.getQueryType();
    const planning = {
      ...this.#parts,
      graphQLSchema,
      fragments: this.#fragments,
      variables: values,
      fieldsLeft: MAX_FIELDS,
    };
    try {
      return queryType
        ? planSelection(planning, queryType, [this.#operation.selectionSet])
        : undefined;
    } catch (error) {
      if (error instanceof NotPlanned) return undefined;
      throw error;
    }
  }
}

/** The variables of an operation that `@skip` and `@include` depend on. */
function conditionsOf(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly string[] {
  const used = new Set<string>();
  const Directive = ({ name, arguments: given }: DirectiveNode) => {
    if (name.value !== "skip" && name.value !== "include") return;
    for (const { value } of given ?? []) {
      if (value.kind === Kind.VARIABLE) used.add(value.name.value);
    }
  };
  visit(document, { Directive });
  return variableDefinitions.map(({ variable }) => variable.name.value).filter((name) =>
    used.has(name)
  );
}
