/** Tells whether a name matches a pattern of OpenSSH: `*` is any text, `?` any one character. */
export function matchesPattern(name: string, pattern: string): boolean {
  const [text, mask] = [name.toLowerCase(), pattern.toLowerCase()];
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (mask[from] === "*") {
      [star, mark] = [from++, at];
    } else if (mask[from] === "?" || mask[from] === text[at]) {
      at++;
      from++;
    } else if (star === -1) {
      return false;
    } else {
      from = star + 1;
      at = ++mark;
    }
  }
  while (mask[from] === "*") from++;
  return from === mask.length;
}

/** Tells whether a name matches one pattern of a list, and none of those that start with `!`. */
export function matchesPatterns(name: string, patterns: readonly string[]): boolean {
  let found = false;
  for (const pattern of patterns) {
    const negated = pattern.startsWith("!");
    if (!matchesPattern(name, negated ? pattern.slice(1) : pattern)) continue;
    if (negated) return false;
    found = true;
  }
  return found;
}
