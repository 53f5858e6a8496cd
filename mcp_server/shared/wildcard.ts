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

/** A part that is any number of folders, also none. */
const ANY_FOLDERS = "**";

/**
 * Whether a real path matches one of the patterns. A part `**` is any number of folders, also none,
 * so that `/srv/**` includes `/srv`; in any other part `*` is any text and `?` any one character.
 * Letters are compared as they are.
 */
export function matchesPath(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const parts = partsOf(pattern);
    return positionsAfter(path, parts).has(parts.length);
  });
}

/** Whether a real path, or one below it, can match one of the patterns. */
export function mayLeadTo(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => positionsAfter(path, partsOf(pattern)).size > 0);
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

/** How many parts of a pattern can stand for the whole of a path: the positions to go on from. */
function positionsAfter(path: string, pattern: readonly string[]): ReadonlySet<number> {
  let positions = skipFolders(new Set([0]), pattern);
  for (const name of partsOf(path)) {
    const next = new Set<number>();
    for (const at of positions) {
      const part = pattern[at];
      if (part === ANY_FOLDERS) next.add(at);
      else if (part !== undefined && matchesWildcard(name, part)) next.add(at + 1);
    }
    positions = skipFolders(next, pattern);
  }
  return positions;
}

/** Adds the positions after each `**`, which may be no folder. */
function skipFolders(positions: Set<number>, pattern: readonly string[]): Set<number> {
  for (const at of positions) if (pattern[at] === ANY_FOLDERS) positions.add(at + 1);
  return positions;
}
