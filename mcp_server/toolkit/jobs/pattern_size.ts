/** A literal text, a class, an escape, a repetition or any other character of a pattern of RE2. */
const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/**
 * About how many instructions the program of a regular expression of RE2 has, counted without
 * compiling it: repetitions such as `{100}` are written out. Never much less than there are.
 */
export function patternSize(pattern: string): number {
  const outer: number[] = [];
  let size = 0;
  /** The size of what a repetition would repeat. */
  let last = 0;
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    if (token === "(") {
      outer.push(size);
      size = last = 0;
    } else if (token === ")") {
      last = size + 2;
      size = (outer.pop() ?? 0) + last;
    } else if (least !== undefined) {
      const times = Math.max(Number(least) + 1, Number(most ?? 0));
      // What may be absent takes an instruction more.
      size += (last + 1) * times - last;
      last = (last + 1) * times;
    } else {
      size += token.length > 2 && token.startsWith("\\Q") ? token.length : 1;
      last = 1;
    }
  }
  return size;
}
