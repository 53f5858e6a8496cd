import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from "graphql";
import { isIncluded } from "../resolvers/is_included.ts";
import type { FieldPlan } from "./answer_fields.ts";
import { NotPlanned } from "./not_planned.ts";
import { type Planning, planSelection } from "./plan_selection.ts";
import type { Variables } from "./query_run.ts";

/** The fields of the query type; `undefined` for an operation that can't be planned. */
export type QueryPlan = readonly FieldPlan[] | undefined;

/** How many plans of one operation are kept: there is one for each outcome of its conditions. */
const MAX_PLANS = 16;

/** The plans of one operation: `@skip` and `@include` make others of it. */
export class OperationPlans {
  readonly #plans = new Map<string, QueryPlan>();
  readonly #planning: Omit<Planning, "variables" | "fragments">;
  readonly #fragments: Planning["fragments"];
  readonly #conditional: readonly SelectionNode[];
  readonly #operation: OperationDefinitionNode;

  /** Takes an operation of a valid document; nothing of it is planned yet. */
  constructor(
    planning: Omit<Planning, "variables" | "fragments">,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ) {
    this.#planning = planning;
    this.#operation = operation;
    this.#conditional = conditionalSelections(document);
    this.#fragments = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : []
      ),
    );
  }

  /** The plan for the values of variables. */
  get(variables: Variables): QueryPlan {
    const key = this.#keyOf(variables);
    if (this.#plans.has(key)) return this.#plans.get(key);
    const plan = this.#plan(variables);
    if (this.#plans.size >= MAX_PLANS) this.#plans.clear();
    this.#plans.set(key, plan);
    return plan;
  }

  /** Gives a plan up which turned out to hold what can't be planned. */
  giveUp(variables: Variables): void {
    this.#plans.set(this.#keyOf(variables), undefined);
  }

  #keyOf(variables: Variables): string {
    return this.#conditional.map((selection) => Number(isIncluded(selection, variables))).join("");
  }

  #plan(variables: Variables): QueryPlan {
    const planning = { ...this.#planning, fragments: this.#fragments, variables };
    const queryType = planning.graphQLSchema.getQueryType();
    if (queryType === null || queryType === undefined) return undefined;
    try {
      return planSelection(planning, queryType, [this.#operation.selectionSet]);
    } catch (error) {
      if (error instanceof NotPlanned) return undefined;
      throw error;
    }
  }
}

/** The fields and fragments of a document that `@skip` or `@include` may leave out. */
function conditionalSelections(document: DocumentNode): SelectionNode[] {
  const found: SelectionNode[] = [];
  const note = (selection: SelectionNode) => {
    if (selection.directives?.some(isCondition)) found.push(selection);
  };
  visit(document, { Field: note, FragmentSpread: note, InlineFragment: note });
  return found;
}

function isCondition({ name }: DirectiveNode): boolean {
  return name.value === "skip" || name.value === "include";
}
