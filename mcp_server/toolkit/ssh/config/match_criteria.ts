import { takeWord } from "./take_word.ts";

/** One criterion of `Match` (ssh_config(5)). */
export interface Criterion {
  /** In lower case. */
  readonly name: string;
  readonly negated: boolean;
  /** A list of patterns, separated by commas; empty for criteria without any. */
  readonly patterns: string;
}

const ALONE = new Set(["all", "canonical", "final"]);

/** Reads what follows `Match`; returns the end of a sentence about the line if it is not valid. */
export function parseCriteria(text: string): readonly Criterion[] | string {
  const criteria: Criterion[] = [];
  for (let next = takeWord(text); next !== undefined;) {
    const [word, rest] = next;
    if (word === "" || word.startsWith("#")) break;
    const negated = word.startsWith("!");
    const name = word.slice(negated ? 1 : 0).toLowerCase();
    if (ALONE.has(name)) {
      criteria.push({ name, negated, patterns: "" });
      next = takeWord(rest);
      continue;
    }
    const [patterns = "", after = ""] = takeWord(rest) ?? [];
    if (patterns === "" || patterns.startsWith("#")) return `has no value after "${word}"`;
    criteria.push({ name, negated, patterns });
    next = takeWord(after);
  }
  return criteria.length === 0 ? "has no criteria" : criteria;
}
