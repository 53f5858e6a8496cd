import { keyOf, wordsOf } from "../names.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import { createMutationWords, type MutationVerb, type MutationWords } from "./mutation_words.ts";

/** What the names of mutations, and of their inputs, say about models. */
export interface MutationNames {
  readonly words: MutationWords;
  /**
   * The verb in a name: its first word, or its last, or one in between that doesn't create. A verb
   * that is a part of a model's name counts only if there is no other: `projectUpdateCreate` creates
   * a `ProjectUpdate`.
   */
  verb(name: string): MutationVerb | undefined;
  /** Whether a name consists only of a verb and such words, as in the group `posts { delete }`. */
  isOnlyVerb(name: string): boolean;
  /**
   * The model that a name contains by convention: `deletePerson`, `remove_people`, `personDelete`,
   * `addPersonToTeam` and `UpdatePersonInput` all contain `Person`; `undefined` if there is none.
   */
  model(name: string, among?: readonly MockModel[]): MockModel | undefined;
  /**
   * The model that a name has after any verb, as `Issue` in `pinIssue`; `undefined` if there is more
   * in the name.
   */
  object(name: string): MockModel | undefined;
  /** All models that a name contains as whole words: `Issue` and `IssueType` in `setIssueType`. */
  mentioned(name: string): readonly MockModel[];
  /**
   * The model that a whole name is about, except for a verb and keys: not `Label` in
   * `removeLabelsFromIssue`.
   */
  only(name: string, among?: readonly MockModel[]): MockModel | undefined;
  /**
   * The last model of a name that begins with a verb, up to a preposition: `Post` in
   * `createShinyPostForUser`, but none in `createPostReminder`.
   */
  last(name: string): MockModel | undefined;
  /**
   * The model whose name comes last in a row of models, as `Address` in `deleteCustomerAddress`, and
   * the one before it; `undefined` if the name has other words too, or fewer models.
   */
  owned(name: string): { readonly owner: MockModel; readonly model: MockModel } | undefined;
}

/** A model, and its words in a name. */
interface Mention {
  readonly model: MockModel;
  readonly start: number;
  readonly end: number;
  /** Number of its characters. */
  readonly size: number;
}

/** Reads the names of mutations; the models are indexed when the first name is read. */
export function createMutationNames(
  models: readonly MockModel[],
  words: MutationWords = createMutationWords(),
): MutationNames {
  const { verbs } = words;
  let known: ReadonlyMap<string, MockModel> | undefined;
  const index = () => known ??= indexOf(models);
  const indexAmong = (among: readonly MockModel[] | undefined) =>
    among === undefined ? index() : indexOf(among);
  const isFiller = (word: string) => verbs.has(word) || words.is("fillers", word);
  const isPreposition = (word: string) => words.is("prepositions", word);

  /** The words of a name; separates a verb from a model if the casing doesn't: `deletepost`. */
  const verbAndWords = (name: string, known = index()): readonly string[] => {
    const found = wordsOf(name);
    const [word = ""] = found;
    if (found.length !== 1 || verbs.has(word)) return found;
    for (const verb of verbs.keys()) {
      if (word.startsWith(verb) && known.has(word.slice(verb.length))) {
        return [verb, word.slice(verb.length)];
      }
      if (word.endsWith(verb) && known.has(word.slice(0, -verb.length))) {
        return [word.slice(0, -verb.length), verb];
      }
    }
    return found;
  };

  /** The longest name wins: `createNewPost` creates a `NewPost` if there is such a model. */
  const exact = (own: readonly string[], known = index()): MockModel | undefined =>
    longest(
      mentions(own, known).filter(({ start, end }) =>
        own.slice(0, start).every(isFiller) && own.slice(end).every(isFiller)
      ),
    )?.model;

  const verbOf = (own: readonly string[]): MutationVerb | undefined => {
    const ends = [own[0], own.at(-1)].map((word) => verbs.get(word ?? ""));
    const inside = own.map((word) => verbs.get(word)).filter((verb) => verb !== "create");
    return ends[0] ?? ends[1] ?? inside.find((verb) => verb !== undefined);
  };

  const names: MutationNames = {
    words,
    verb(name) {
      const own = verbAndWords(name);
      const model = longest(mentions(own, index()));
      const others = model ? own.toSpliced(model.start, model.end - model.start) : [];
      return verbOf(others) ?? verbOf(own);
    },
    isOnlyVerb: (name) => wordsOf(name).every(isFiller),
    model(name, among) {
      const known = indexAmong(among);
      const own = verbAndWords(name, known);
      const cut = own.findIndex((word, index) => index > 0 && isPreposition(word));
      return exact(own, known) ?? (cut > 0 ? exact(own.slice(0, cut), known) : undefined);
    },
    object: (name) => names.model(name) ?? exact(verbAndWords(name).slice(1)),
    mentioned: (name) => mentions(verbAndWords(name), index()).map(({ model }) => model),
    only(name, among) {
      const known = indexAmong(among);
      const own = verbAndWords(name, known);
      const by = own.lastIndexOf("by");
      return exact(own, known) ?? exact(own.slice(0, by < 1 ? 0 : by), known);
    },
    last(name) {
      const all = verbAndWords(name);
      const cut = all.findIndex((word, index) => index > 0 && isPreposition(word));
      const own = cut > 0 ? all.slice(0, cut) : all;
      if (!verbs.has(own[0] ?? "")) return undefined;
      return longest(mentions(own, index()).filter(({ end }) => end === own.length))?.model;
    },
    owned(name) {
      const own = verbAndWords(name).filter((word) => !isFiller(word));
      const all = mentions(own, index());
      const isSingular = ({ model, start, end }: Mention) =>
        keyOf(model.typeName) === own.slice(start, end).join("");
      for (const last of all.filter((one) => one.end === own.length && isSingular(one))) {
        const owner = all.find(({ start, end }) => start === 0 && end === last.start);
        if (owner !== undefined) return { owner: owner.model, model: last.model };
      }
      return undefined;
    },
  };
  return names;
}

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

/** The models that some words contain, each with its place. */
function mentions(words: readonly string[], index: ReadonlyMap<string, MockModel>): Mention[] {
  return words.flatMap((_, start) =>
    words.slice(start).flatMap((_, length) => {
      const end = start + length + 1;
      const key = words.slice(start, end).join("");
      const model = index.get(key);
      return model === undefined ? [] : [{ model, start, end, size: key.length }];
    })
  );
}

function longest(mentions: readonly Mention[]): Mention | undefined {
  return mentions.toSorted((one, other) => other.size - one.size)[0];
}

/**
 * Models by the keys of their names; a type's own name takes precedence over the name of a table.
 */
function indexOf(models: readonly MockModel[]): ReadonlyMap<string, MockModel> {
  const index = new Map<string, MockModel>();
  for (const model of models) index.set(keyOf(model.typeName), model);
  for (const model of models) {
    const key = keyOf(model.collectionName);
    if (!index.has(key)) index.set(key, model);
  }
  return index;
}
