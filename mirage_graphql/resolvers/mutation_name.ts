import { keyOf, wordsOf } from "../names.ts";
import type { MockModel } from "../orm/models/model_map.ts";

/** The action in a mutation's name; `close` is any change of state, as in `archive`. */
export type MutationVerb = "create" | "update" | "delete" | "close";

/** The verbs of mutations. */
export const VERBS: ReadonlyMap<string, MutationVerb> = new Map([
  ...["create", "add", "new", "insert", "make", "register"].map((word) =>
    [word, "create"] as const
  ),
  ...["update", "edit"].map((word) => [word, "update"] as const),
  ...["delete", "remove", "destroy"].map((word) => [word, "delete"] as const),
  ...["archive", "close"].map((word) => [word, "close"] as const),
]);

/** Words of a mutation's name, or of an input's, that are not part of a model's name. */
export const FILLERS: ReadonlySet<string> = new Set([
  ...VERBS.keys(),
  ...["change", "modify", "patch", "set", "upsert", "save"],
  ...["one", "many", "all", "bulk", "batch", "an", "a", "the", "my", "by", "id", "pk", "or"],
  ...["input", "data", "attributes", "attrs", "fields", "values", "params", "type"],
]);

/** Words after which a name says more than what is written. */
export const PREPOSITIONS: ReadonlySet<string> = new Set(
  ["to", "from", "for", "of", "on", "in", "into", "at", "with", "by", "as"],
);

/**
 * The verb in the name of a mutation: its first word, or its last, or one in between that doesn't
 * create. A verb that is a part of a model's name counts only if there is no other:
 * `projectUpdateCreate` creates a `ProjectUpdate`.
 */
export function mutationVerb(
  name: string,
  models: readonly MockModel[],
): MutationVerb | undefined {
  const words = verbAndWords(name, models);
  const [longest] = mentions(words, models).sort((one, other) => other.size - one.size);
  const others = longest ? words.toSpliced(longest.start, longest.end - longest.start) : [];
  return verbOf(others) ?? verbOf(words);
}

function verbOf(words: readonly string[]): MutationVerb | undefined {
  const ends = [words[0], words.at(-1)].map((word) => VERBS.get(word ?? ""));
  const inside = words.map((word) => VERBS.get(word)).filter((verb) => verb !== "create");
  return ends[0] ?? ends[1] ?? inside.find((verb) => verb !== undefined);
}

/** Whether a name consists only of a verb and such words, as in the group `posts { delete }`. */
export function namesNothing(name: string): boolean {
  return wordsOf(name).every((word) => FILLERS.has(word));
}

/**
 * The model that a name contains by convention: `deletePerson`, `remove_people`, `personDelete`,
 * `addPersonToTeam` and `UpdatePersonInput` all contain `Person`; `undefined` if there is none.
 */
export function namedModel(name: string, models: readonly MockModel[]): MockModel | undefined {
  const words = verbAndWords(name, models);
  const cut = words.findIndex((word, index) => index > 0 && PREPOSITIONS.has(word));
  return exactModel(words, models) ??
    (cut > 0 ? exactModel(words.slice(0, cut), models) : undefined);
}

/**
 * The model that a name has after any verb, as `Issue` in `pinIssue`; `undefined` if there is more
 * in the name.
 */
export function objectModel(name: string, models: readonly MockModel[]): MockModel | undefined {
  return namedModel(name, models) ?? exactModel(verbAndWords(name, models).slice(1), models);
}

/** The longest name wins: `createNewPost` creates a `NewPost` if there is such a model. */
export function exactModel(
  words: readonly string[],
  models: readonly MockModel[],
): MockModel | undefined {
  const [best] = mentions(words, models)
    .filter(({ start, end }) =>
      words.slice(0, start).every((word) => FILLERS.has(word)) &&
      words.slice(end).every((word) => FILLERS.has(word))
    )
    .sort((one, other) => other.size - one.size);
  return best?.model;
}

/** All models that a name contains as whole words: `Issue` and `IssueType` in `setIssueType`. */
export function mentionedModels(name: string, models: readonly MockModel[]): MockModel[] {
  return mentions(verbAndWords(name, models), models).map(({ model }) => model);
}

/** The words of a name; separates a verb from a model if the casing doesn't: `deletepost`. */
export function verbAndWords(name: string, models: readonly MockModel[]): readonly string[] {
  const words = wordsOf(name);
  const [word = ""] = words;
  if (words.length !== 1 || VERBS.has(word)) return words;
  const index = indexOf(models);
  for (const verb of VERBS.keys()) {
    if (word.startsWith(verb) && index.has(word.slice(verb.length))) {
      return [verb, word.slice(verb.length)];
    }
    if (word.endsWith(verb) && index.has(word.slice(0, -verb.length))) {
      return [word.slice(0, -verb.length), verb];
    }
  }
  return words;
}

/** A model, and its words in a name. */
export interface Mention {
  readonly model: MockModel;
  readonly start: number;
  readonly end: number;
  /** Number of its characters. */
  readonly size: number;
}

/** The models that some words contain, each with its place. */
export function mentions(words: readonly string[], models: readonly MockModel[]): Mention[] {
  const index = indexOf(models);
  return words.flatMap((_, start) =>
    words.slice(start).flatMap((_, length) => {
      const end = start + length + 1;
      const key = words.slice(start, end).join("");
      const model = index.get(key);
      return model === undefined ? [] : [{ model, start, end, size: key.length }];
    })
  );
}

const indexes = new WeakMap<readonly MockModel[], ReadonlyMap<string, MockModel>>();

/**
 * Models by the keys of their names; a type's own name takes precedence over the name of a table.
 */
function indexOf(models: readonly MockModel[]): ReadonlyMap<string, MockModel> {
  const known = indexes.get(models);
  if (known !== undefined) return known;
  const index = new Map<string, MockModel>();
  for (const model of models) index.set(keyOf(model.typeName), model);
  for (const model of models) {
    const key = keyOf(model.collectionName);
    if (!index.has(key)) index.set(key, model);
  }
  indexes.set(models, index);
  return index;
}
