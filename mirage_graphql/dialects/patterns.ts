/** Forms the plural of a word in lower case. */
type Pluralize = (word: string) => string;

/** The names of one model that placeholders stand for; a type in lower case is named like its table. */
export type RecordNames = Readonly<Record<string, readonly string[]>>;

/**
 * The names that the placeholders of patterns stand for.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { fillPattern, recordNames } from "./patterns.ts";
 *
 * const names = recordNames("BlogPost", (word) => `${word}s`);
 * deepStrictEqual(fillPattern("update{Records}", names), ["updateBlogPosts"]);
 * deepStrictEqual(fillPattern("{record}_by_pk", names), ["blogPost_by_pk"]);
 * ```
 */
export function recordNames(typeName: string, plural: Pluralize): RecordNames {
  const many = typeName.replace(/[A-Za-z][a-z\d]*$/, (word) => {
    const formed = plural(word.toLowerCase());
    return word === word.toLowerCase() ? formed : upperFirst(formed);
  });
  // Hasura's type of the table `person` is `person`, and so is its list
  const own = typeName === lowerFirst(typeName) ? [many, typeName] : [many];
  const all = [...new Set(own)];
  return {
    record: [lowerFirst(typeName)],
    Record: [upperFirst(typeName)],
    records: all.map(lowerFirst),
    Records: all.map(upperFirst),
  };
}

/** The names that a pattern stands for; `*` is left as it is. */
export function fillPattern(pattern: string, names: RecordNames): readonly string[] {
  const [placeholder = "", key = ""] = /\{(\w+)\}/.exec(pattern) ?? [];
  if (placeholder === "") return [pattern];
  return (names[key] ?? []).flatMap((name) =>
    fillPattern(pattern.replace(placeholder, () => name), names)
  );
}

/** What a table of patterns has for a name: by the name itself, or else by the first `*` that fits. */
export function createPatternTable<Value>(
  entries: Iterable<readonly [filled: string, value: Value]>,
): (name: string) => readonly Value[] {
  const exact = new Map<string, Value[]>();
  const open: (readonly [start: string, end: string, value: Value])[] = [];
  for (const [filled, value] of entries) {
    const [start = "", end] = filled.split("*");
    if (end === undefined) exact.set(filled, [...exact.get(filled) ?? [], value]);
    else open.push([start, end, value]);
  }
  return (name) => [
    ...exact.get(name) ?? [],
    ...open.filter(([start, end]) =>
      name.length > start.length + end.length && name.startsWith(start) && name.endsWith(end)
    ).map(([, , value]) => value),
  ];
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
