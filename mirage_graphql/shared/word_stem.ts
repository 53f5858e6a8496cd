/** Words that say the same, or that are formed in another way. */
const SAME: ReadonlyMap<string, string> = new Map(Object.entries({
  done: "complete",
  finish: "complete",
  finished: "complete",
  active: "activate",
  hidden: "hide",
  canceled: "cancel",
  cancelled: "cancel",
  trashed: "trash",
}));

/** What `star`, `starred`, `stars` and `starring` share; `word` is in lower case. */
export function stemOf(word: string): string {
  const base = SAME.get(word) ?? word;
  return base.replace(/(?<=.{2})s$/, "").replace(/(?<=.{2})(ing|ed|ers?|ors?|e)$/, "")
    .replace(/(?<=.{2})([b-df-hj-np-tv-z])\1$/, "$1").replace(/y$/, "i");
}
