/** A statement that prints, the comment at its end, and those that follow it at once. */
const PRINTED =
  /^( *)console\.log\((?:.*?\);(?= *\/\/|$)|\n[\s\S]*?\n\1\);)(?: *\/\/ (.*))?$((?:\n *\/\/ .*)*)/gm;

/**
 * What a program says that it prints, in the comments after its calls of `console.log()`; empty
 * where it says nothing.
 */
export function shownOutput(code: string): string {
  const shown = code.matchAll(PRINTED).flatMap(([, _indent, atEnd, below = ""]) => [
    atEnd ?? "",
    ...below.split(/\n *\/\/ /).slice(1),
  ]);
  return [...shown].filter((line) => line !== "").join("\n");
}
