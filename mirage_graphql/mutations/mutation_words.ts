import type { Dialect, Words, WriteAction } from "../dialects/dialect.ts";
import { wordsOf } from "../shared/names.ts";

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
