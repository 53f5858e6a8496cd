import { keyOf, wordsOf } from "../../names.ts";
import type { MockModel } from "../../orm/models/model_map.ts";

import {
  exactModel,
  FILLERS,
  type Mention,
  mentions,
  PREPOSITIONS,
  verbAndWords,
  VERBS,
} from "../mutation_name.ts";

/**
 * The keys at the end of a name, in normalized form: `slug` of `updatePostBySlug`, and two of
 * `deleteLikeByUserIdAndPostId`.
 */
export function keysInName(name: string): string[] {
  const words = wordsOf(name);
  const start = words.lastIndexOf("by") + 1;
  if (start === 0) return [];
  return words.slice(start).join(" ").split(" and ").map((key) => key.replaceAll(" ", ""));
}

/**
 * The model whose name comes last in a row of models, as `Address` in `deleteCustomerAddress`, and
 * the one before it; `undefined` if the name has other words too, or fewer models.
 */
export function modelOfModel(
  name: string,
  models: readonly MockModel[],
): { readonly owner: MockModel; readonly model: MockModel } | undefined {
  const words = verbAndWords(name, models).filter((word) => !FILLERS.has(word));
  const all = mentions(words, models);
  const isSingular = ({ model, start, end }: Mention) =>
    keyOf(model.typeName) === words.slice(start, end).join("");
  for (const last of all.filter((one) => one.end === words.length && isSingular(one))) {
    const owner = all.find(({ start, end }) => start === 0 && end === last.start);
    if (owner !== undefined) return { owner: owner.model, model: last.model };
  }
  return undefined;
}

/**
 * The last model of a name that begins with a verb, up to a preposition: `Post` in
 * `createShinyPostForUser`, but none in `createPostReminder`.
 */
export function namedLast(name: string, models: readonly MockModel[]): MockModel | undefined {
  const words = verbAndWords(name, models);
  const cut = words.findIndex((word, index) => index > 0 && PREPOSITIONS.has(word));
  const own = cut > 0 ? words.slice(0, cut) : words;
  if (!VERBS.has(own[0] ?? "")) return undefined;
  return mentions(own, models).filter(({ end }) => end === own.length)
    .sort((one, other) => other.size - one.size)[0]?.model;
}

/**
 * The model that a whole name is about, except for a verb and keys: not `Label` in
 * `removeLabelsFromIssue`.
 */
export function onlyModel(name: string, models: readonly MockModel[]): MockModel | undefined {
  const words = verbAndWords(name, models);
  const by = words.lastIndexOf("by");
  return exactModel(words, models) ?? exactModel(words.slice(0, by < 1 ? 0 : by), models);
}
