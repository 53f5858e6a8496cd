import type { Dialect, Words, WriteAction } from "../dialects/dialect.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import { keyOf, wordsOf } from "../shared/names.ts";

/** The action in a mutation's name; `close` is any change of state, as in `archive`. */
export type MutationVerb = "create" | "update" | "delete" | "close";

/** The words by which mutations are interpreted, also without dialects. */
const STRICT: Words = {
  create: "create add new insert make register",
  update: "update edit",
  delete: "delete remove destroy",
  close: "archive close",
  fillers: "change modify patch set upsert save one many all bulk batch an a the my by id pk or " +
    "input data attributes attrs fields values params type",
  prepositions: "to from for of on in into at with by as",
};

/** What has been done, in the names of events and of a payload's fields. */
const DONE: Readonly<Record<"create" | "update" | "delete", readonly string[]>> = {
  create: ["created", "added", "inserted"],
  update: ["updated", "changed", "modified"],
  delete: ["deleted", "removed", "destroyed"],
};

/** The words that dialects have for one thing. */
export interface MutationWords {
  /** The verbs by what they do. */
  readonly verbs: ReadonlyMap<string, MutationVerb>;
  /** Whether a word is one of a kind. */
  is(kind: keyof Words, word: string | undefined): boolean;
  /** The verbs that a verb reverses, as `reopen` does `close`. */
  undone(verb: string): readonly string[];
}

/** The words of some dialects, after those that always count. */
export function createMutationWords(dialects: readonly Dialect[] = []): MutationWords {
  const all = [STRICT, ...dialects.flatMap(({ words }) => words ?? [])];
  const kinds = new Map<keyof Words, ReadonlySet<string>>();
  const setOf = (kind: keyof Words) => {
    const known = kinds.get(kind) ??
      new Set(all.flatMap((words) => words[kind]?.split(" ") ?? []));
    kinds.set(kind, known);
    return known;
  };
  const verbs = new Map<string, MutationVerb>();
  for (const verb of ["create", "update", "delete", "close"] as const) {
    for (const word of setOf(verb)) verbs.set(word, verb);
  }
  return {
    verbs,
    is: (kind, word = "") => setOf(kind).has(word),
    undone: (verb) =>
      [...setOf("undo")].map((pair) => pair.split(":"))
        .flatMap(([one, other]) => one === verb && other !== undefined ? [other] : []),
  };
}

/** What a participle says has been done; `undefined` for other words. */
export function actionDone(word: string): Exclude<WriteAction, "upsert"> | undefined {
  if (DONE.create.includes(word)) return "create";
  if (DONE.update.includes(word)) return "update";
  return DONE.delete.includes(word) ? "delete" : undefined;
}

/** What the words of a name say has been done, as in `nodesCreated` and `wasDeleted`. */
export function actionDoneIn(name: string): Exclude<WriteAction, "upsert"> | undefined {
  return wordsOf(name).map(actionDone).find((action) => action !== undefined);
}

/** What the names of mutations, and of their inputs, say about models. */
export interface MutationNames {
  readonly words: MutationWords;
  /**
   * The verb in a name: its first word, or its last, or one in between that doesn't create. A verb
   * that is a part of a model's name counts only if there is no other: `projectUpdateCreate` creates
   * a `ProjectUpdate`.
   */
  verb(name: string): MutationVerb | undefined;
  /** Whether a name has a verb that creates wherever it stands, as `create` and `add` do. */
  creates(name: string): boolean;
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
  /** The words of a name; separates a verb from a model if the casing doesn't: `deletepost`. */
  split(name: string, among?: readonly MockModel[]): readonly string[];
  /** The models that some words contain, each with its place. */
  mentions(words: readonly string[]): readonly Mention[];
  /** The model that all of some words are about; the longest name wins. */
  exact(words: readonly string[], among?: readonly MockModel[]): MockModel | undefined;
  /** Whether a word is a verb, or one that is not part of a model's name. */
  isFiller(word: string): boolean;
}

/** A model, and its words in a name. */
export interface Mention {
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
  const indexAmong = (among?: readonly MockModel[]) =>
    among === undefined ? known ??= indexOf(models) : indexOf(among);

  /** How many words at the beginning are a verb that creates only there: two in `signUp`. */
  const beginning = ([first = "", second = ""]: readonly string[]): number =>
    words.is("begin", first) ? 1 : words.is("begin", first + second) ? 2 : 0;
  const areFillers = (own: readonly string[]) => own.slice(beginning(own)).every(names.isFiller);

  const verbOf = (own: readonly string[]): MutationVerb | undefined => {
    const ends = [own[0], own.at(-1)].map((word) => verbs.get(word ?? ""));
    const inside = own.map((word) => verbs.get(word)).filter((verb) => verb !== "create");
    const first = ends[0] ?? (beginning(own) > 0 ? "create" : undefined);
    return first ?? ends[1] ?? inside.find((verb) => verb !== undefined);
  };

  const names: MutationNames = {
    words,
    verb(name) {
      const own = names.split(name);
      const model = longest(names.mentions(own));
      const others = model ? own.toSpliced(model.start, model.end - model.start) : [];
      return verbOf(others) ?? verbOf(own);
    },
    creates: (name) =>
      names.verb(name) === "create" &&
      names.split(name).some((word) => verbs.get(word) === "create"),
    isOnlyVerb: (name) => areFillers(wordsOf(name)),
    model(name, among) {
      const own = names.split(name, among);
      const cut = own.findIndex((word, index) => index > 0 && words.is("prepositions", word));
      return names.exact(own, among) ??
        (cut > 0 ? names.exact(own.slice(0, cut), among) : undefined);
    },
    object: (name) => names.model(name) ?? names.exact(names.split(name).slice(1)),
    mentioned: (name) => names.mentions(names.split(name)).map(({ model }) => model),
    split(name, among) {
      const own = wordsOf(name);
      const [word = ""] = own;
      if (own.length !== 1 || verbs.has(word)) return own;
      const index = indexAmong(among);
      for (const verb of verbs.keys()) {
        if (word.startsWith(verb) && index.has(word.slice(verb.length))) {
          return [verb, word.slice(verb.length)];
        }
        if (word.endsWith(verb) && index.has(word.slice(0, -verb.length))) {
          return [word.slice(0, -verb.length), verb];
        }
      }
      return own;
    },
    mentions: (own) => mentions(own, indexAmong()),
    exact: (own, among) =>
      longest(
        mentions(own, indexAmong(among)).filter(({ start, end }) =>
          areFillers(own.slice(0, start)) && own.slice(end).every(names.isFiller)
        ),
      )?.model,
    isFiller: (word) => verbs.has(word) || words.is("fillers", word),
  };
  return names;
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

/** The one with the longest name: `createNewPost` creates a `NewPost` if there is such a model. */
export function longest(mentions: readonly Mention[]): Mention | undefined {
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
