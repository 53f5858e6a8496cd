import { createFilterShape, filterRuleOf } from "./filter_shape.ts";
import { listWordsOf } from "./list_words.ts";
import { orderRoleOf } from "./ordering.ts";
import { isPageObject, pageKeyOf } from "./paging.ts";
import { createTarget } from "./targets.ts";

/**
 * How the arguments of lists are read, for the code that explains it. A page loads that code later,
 * and a bundler would move what it imported to files of their own.
 */
export const LIST_READING = {
  createFilterShape,
  createTarget,
  filterRuleOf,
  isPageObject,
  listWordsOf,
  orderRoleOf,
  pageKeyOf,
} as const;

/** The functions that read the arguments of lists. */
export type ListReading = typeof LIST_READING;
