/**
 * Whether a text matches a pattern, in which `*` is any text and `?` any one character; takes linear
 * time for each `*`, whatever the text is.
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[from] === "*") {
      [star, mark] = [from++, at];
    } else if (pattern[from] === "?" || pattern[from] === text[at]) {
      at++;
      from++;
    } else if (star === -1) {
      return false;
    } else {
      from = star + 1;
      at = ++mark;
    }
  }
  while (pattern[from] === "*") from++;
  return from === pattern.length;
}
