import type { Answer, QueryRun } from "./query_run.ts";

/** One field of a selection. */
export interface FieldPlan {
  /** Its alias, or its name. */
  readonly responseName: string;
  /** Answers it for a parent. */
  readonly answer: Answer;
}

/** Answers the selected fields of one parent. */
export function answerFields(
  fields: readonly FieldPlan[],
  parent: unknown,
  run: QueryRun,
): Record<string, unknown> {
  const answered = createResult();
  for (const { responseName, answer } of fields) answered[responseName] = answer(parent, run);
  return answered;
}

/**
 * An object without a prototype, as graphql-js's results are. V8 makes `Object.create(null)` a hash
 * table of several times the size, and of a long list the garbage collector moves each.
 */
function createResult(): Record<string, unknown> {
  return Object.setPrototypeOf({}, null);
}
