import type { ComparisonName } from "./list_rules.ts";

/** Every comparison, so that a table that lacks one does not compile. */
export const COMPARISONS: Readonly<Record<ComparisonName, 0>> = {
  ...{ eq: 0, in: 0, lt: 0, lte: 0, gt: 0, gte: 0, contains: 0, anyword: 0, allwords: 0 },
  ...{ starts: 0, ends: 0, like: 0, regex: 0, between: 0, all: 0, null: 0, distinct: 0, empty: 0 },
};

/** Whether a text is the name of a comparison. */
export function isComparison(text: string): text is ComparisonName {
  return Object.hasOwn(COMPARISONS, text);
}
