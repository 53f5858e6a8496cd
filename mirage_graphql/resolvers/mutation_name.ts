import type { MockModel } from "../orm/models/model_map.ts";
import { nameKey } from "../orm/models/model_names.ts";

/** The action in a mutation's name; `close` is any change of state, as in `archive`. */
export type MutationVerb = "create" | "update" | "delete" | "close";

const VERBS: ReadonlyMap<string, MutationVerb> = new Map([
  ...["create", "add", "new", "insert", "make", "register"].map((word) =>
    [word, "create"] as const
  ),
  ...["update", "edit"].map((word) => [word, "update"] as const),
  ...["delete", "remove", "destroy"].map((word) => [word, "delete"] as const),
  ...["archive", "close"].map((word) => [word, "close"] as const),
]);

/** Words of a mutation's name, or of an input's, that are not part of a model's name. */
const FILLERS: ReadonlySet<string> = new Set([
  ...VERBS.keys(),
  ...["change", "modify", "patch", "set", "upsert", "save"],
  ...["one", "many", "all", "bulk", "batch", "an", "a", "the", "my", "by", "id", "pk", "or"],
  ...["input", "data", "attributes", "attrs", "fields", "values", "params", "type"],
]);

const PREPOSITIONS: ReadonlySet<string> = new Set(
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
  const words = wordsOf(name, models);
  const [longest] = mentions(words, models).sort((one, other) => other.size - one.size);
  const others = longest ? words.toSpliced(longest.start, longest.end - longest.start) : [];
  return verbOf(others) ?? verbOf(words);
}

function verbOf(words: readonly string[]): MutationVerb | undefined {
  const ends = [words[0], words.at(-1)].map((word) => VERBS.get(word ?? ""));
  const inside = words.map((word) => VERBS.get(word)).filter((verb) => verb !== "create");
  return ends[0] ?? ends[1] ?? inside.find((verb) => verb !== undefined);
}

/**
 * The keys at the end of a name, in normalized form: `slug` of `updatePostBySlug`, and two of
 * `deleteLikeByUserIdAndPostId`.
 */
export function keysInName(name: string): string[] {
  const words = splitName(name);
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
  const words = wordsOf(name, models).filter((word) => !FILLERS.has(word));
  const all = mentions(words, models);
  const isSingular = ({ model, start, end }: Mention) =>
    nameKey(model.typeName) === words.slice(start, end).join("");
  for (const last of all.filter((one) => one.end === words.length && isSingular(one))) {
    const owner = all.find(({ start, end }) => start === 0 && end === last.start);
    if (owner !== undefined) return { owner: owner.model, model: last.model };
  }
  return undefined;
}

/** Whether a name consists only of a verb and such words, as in the group `posts { delete }`. */
export function namesNothing(name: string): boolean {
  return splitName(name).every((word) => FILLERS.has(word));
}

/**
 * The model that a name contains by convention: `deletePerson`, `remove_people`, `personDelete`,
 * `addPersonToTeam` and `UpdatePersonInput` all contain `Person`; `undefined` if there is none.
 */
export function namedModel(name: string, models: readonly MockModel[]): MockModel | undefined {
  const words = wordsOf(name, models);
  const cut = words.findIndex((word, index) => index > 0 && PREPOSITIONS.has(word));
  return exactModel(words, models) ??
    (cut > 0 ? exactModel(words.slice(0, cut), models) : undefined);
}

/**
 * The last model of a name that begins with a verb, up to a preposition: `Post` in
 * `createShinyPostForUser`, but none in `createPostReminder`.
 */
export function namedLast(name: string, models: readonly MockModel[]): MockModel | undefined {
  const words = wordsOf(name, models);
  const cut = words.findIndex((word, index) => index > 0 && PREPOSITIONS.has(word));
  const own = cut > 0 ? words.slice(0, cut) : words;
  if (!VERBS.has(own[0] ?? "")) return undefined;
  return mentions(own, models).filter(({ end }) => end === own.length)
    .sort((one, other) => other.size - one.size)[0]?.model;
}

/**
 * The model that a name has after any verb, as `Issue` in `pinIssue`; `undefined` if there is more
 * in the name.
 */
export function objectModel(name: string, models: readonly MockModel[]): MockModel | undefined {
  return namedModel(name, models) ?? exactModel(wordsOf(name, models).slice(1), models);
}

/**
 * The model that a whole name is about, except for a verb and keys: not `Label` in
 * `removeLabelsFromIssue`.
 */
export function onlyModel(name: string, models: readonly MockModel[]): MockModel | undefined {
  const words = wordsOf(name, models);
  const by = words.lastIndexOf("by");
  return exactModel(words, models) ?? exactModel(words.slice(0, by < 1 ? 0 : by), models);
}

/** The longest name wins: `createNewPost` creates a `NewPost` if there is such a model. */
function exactModel(
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
  return mentions(wordsOf(name, models), models).map(({ model }) => model);
}

/** The words of a name in lower case: `deleteHTTPLog` and `delete_http_log` have three. */
export function splitName(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

/** Separates a verb from the model after or before it if the casing doesn't: `deletepost`. */
function wordsOf(name: string, models: readonly MockModel[]): string[] {
  const words = splitName(name);
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
interface Mention {
  readonly model: MockModel;
  readonly start: number;
  readonly end: number;
  /** Number of its characters. */
  readonly size: number;
}

function mentions(words: readonly string[], models: readonly MockModel[]): Mention[] {
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
  for (const model of models) index.set(nameKey(model.typeName), model);
  for (const model of models) {
    const key = nameKey(model.collectionName);
    if (!index.has(key)) index.set(key, model);
  }
  indexes.set(models, index);
  return index;
}
