const STOP_WORDS = new Set(["by", "of", "in", "as", "for", "to", "the", "my", "all", "is"]);

/** Words that name the two ends of one relation without a common stem. */
const OPPOSITES: Readonly<Record<string, string>> = {
  child: "parent",
  prev: "next",
  previous: "next",
  descendant: "ancestor",
  successor: "predecessor",
};

/**
 * The stems of a field's name, without the words of the type it leads to: `authoredPosts`, which
 * leads to `Post`, and `author` both have `auth`; `posts` has none. A name that is all small words,
 * such as `to` or `by`, is told by these.
 *
 * @param singularize Turns a dasherized word into its singular.
 */
export function nameStems(
  fieldName: string,
  targetType: string,
  singularize: (word: string) => string,
): ReadonlySet<string> {
  const dropped = new Set(wordsOf(targetType).map(singularize));
  const words = wordsOf(fieldName);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  const stems = (telling.length > 0 ? telling : words)
    .filter((word) => !dropped.has(singularize(word)))
    .map((word) => stemOf(OPPOSITES[word] ?? OPPOSITES[singularize(word)] ?? singularize(word)));
  return new Set(stems);
}

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

/** `author`, `authored` -> `auth`; `mentor`, `mentee` -> `ment`; `owner`, `owned` -> `own`. */
function stemOf(word: string): string {
  const shorter = word.replace(/(?<=.{3})(ing|ed|er|or|ee|e)$/, "");
  return shorter === word ? word : stemOf(shorter);
}
