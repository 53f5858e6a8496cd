/** What is compared at most: a file with more lines, or a longer line, is searched in part. */
const [MOST_LINES, MOST_CHARS] = [50_000, 200];
/** What is shown at most. */
const [MOST_LINES_SHOWN, MOST_CHARS_SHOWN] = [8, 600];
/** Lines that have less in common are not worth a look. */
const LEAST_ALIKE = 0.4;

/** Says where the text is that is most like one that is not there, for an agent that only reads this. */
export function nearestText(text: string, wanted: string): string {
  const lines = text.split(/\r?\n/, MOST_LINES);
  const wantedLines = wanted.split(/\r?\n/);
  const key = indexOfLongest(wantedLines);
  const best = mostAlike(lines, wantedLines[key] ?? "");
  if (best === undefined) return "nothing in the file is like it; read the file first";
  const first = Math.max(0, best - key);
  const found = lines.slice(first, first + Math.min(wantedLines.length, MOST_LINES_SHOWN)).join(
    "\n",
  );
  const why = sameButForSpace(found, wanted) ? ", which differs only in white space" : "";
  return `the nearest is at line ${first + 1}${why}: ` +
    `${JSON.stringify(found.slice(0, MOST_CHARS_SHOWN))}`;
}

/** The longest line is the one that is the most its own. */
function indexOfLongest(lines: readonly string[]): number {
  const lengths = lines.map((line) => line.trim().length);
  return lengths.indexOf(Math.max(...lengths));
}

function sameButForSpace(one: string, other: string): boolean {
  return one.replaceAll(/\s+/g, "") === other.replaceAll(/\s+/g, "");
}

function mostAlike(lines: readonly string[], wanted: string): number | undefined {
  const pairs = pairsOf(wanted);
  let best: number | undefined;
  let most = LEAST_ALIKE;
  for (const [at, line] of lines.entries()) {
    const alike = likeness(pairs, pairsOf(line));
    if (alike > most) [best, most] = [at, alike];
  }
  return best;
}

/** How often each pair of neighbouring characters is in a line, white space left out. */
function pairsOf(line: string): Map<string, number> {
  const text = line.slice(0, MOST_CHARS).replaceAll(/\s+/g, "");
  const pairs = new Map<string, number>();
  for (let at = 0; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** The Sørensen-Dice coefficient: 1 for the same pairs, 0 for none in common. */
function likeness(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let shared = 0;
  let all = 0;
  for (const [pair, count] of one) {
    shared += Math.min(count, other.get(pair) ?? 0);
    all += count;
  }
  for (const count of other.values()) all += count;
  return all === 0 ? 0 : 2 * shared / all;
}
