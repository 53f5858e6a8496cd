/** A statement that prints, the comment at its end, and those that follow it at once. */
const PRINTED =
  /^console\.log\((?:.*?\);(?= *\/\/|$)|\n[\s\S]*?\n\);)(?: *\/\/ (.*))?$((?:\n\/\/ .*)*)/gm;

/**
 * What a program says that it prints, in the comments after its calls of `console.log()`; of the
 * calls at its outermost level, which are those without an indent. Empty where it says nothing.
 */
export function shownOutput(code: string): string {
  const shown = code.matchAll(PRINTED).flatMap(([, atEnd, below = ""]) => [
    atEnd ?? "",
    ...below.split("\n// ").slice(1),
  ]);
  return [...shown].filter((line) => line !== "").join("\n");
}
