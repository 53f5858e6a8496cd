/** The engines, whose comments differ. */
export type Engine = "postgres" | "sqlite";

/** What a statement does to the transaction as a whole. */
type TransactionCommand = "begin" | "commit" | "rollback";

/**
 * White space as the engines read it, and `;`. SQLite also skips a byte order mark, which is a
 * syntax error in PostgreSQL.
 */
const SPACE = /[ \t\n\v\f\r;\uFEFF]+/y;
/** Comments up to the end of the line, which is another one in PostgreSQL. */
const LINE: Readonly<Record<Engine, RegExp>> = {
  postgres: /--[^\n\r]*/y,
  sqlite: /--[^\n]*/y,
};
const WORD = /[a-z]+/iy;
/** The words that tell one command from another: `ROLLBACK WORK TO`. */
const MOST_WORDS = 3;

/** Whether a text contains no statement: SQLite would compile it to nothing. */
export function isBlankSql(text: string): boolean {
  return skipBlank(text, 0, "sqlite") === text.length;
}

/** What a statement does to the transaction; `undefined` if it does not end or begin one. */
export function transactionCommand(text: string, engine: Engine): TransactionCommand | undefined {
  const [first, second, third] = firstWords(text, engine);
  switch (first) {
    case "BEGIN":
    case "START":
      return "begin";
    case "COMMIT":
    case "END":
      return "commit";
    case "PREPARE":
      return second === "TRANSACTION" ? "commit" : undefined;
    case "ABORT":
      return "rollback";
    case "ROLLBACK": {
      const isNoise = second === "WORK" || second === "TRANSACTION";
      return (isNoise ? third : second) === "TO" ? undefined : "rollback";
    }
    default:
      return undefined;
  }
}

function firstWords(text: string, engine: Engine): string[] {
  const words: string[] = [];
  let at = 0;
  while (words.length < MOST_WORDS) {
    const start = skipBlank(text, at, engine);
    at = endOf(WORD, text, start);
    if (at === start) break;
    words.push(text.slice(start, at).toUpperCase());
  }
  return words;
}

/** The position after the white space, comments and `;` at a position. */
function skipBlank(text: string, from: number, engine: Engine): number {
  let at = from;
  for (let last = -1; at !== last;) {
    last = at;
    at = endOf(LINE[engine], text, endOf(SPACE, text, at));
    if (text.startsWith("/*", at)) at = endOfComment(text, at, engine);
  }
  return at;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Comments can contain comments in PostgreSQL (manual, 4.1.5), but not in SQLite. */
function endOfComment(text: string, start: number, engine: Engine): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start + 2;
  for (let depth = 1; depth > 0;) {
    const found = mark.exec(text);
    if (found === null) return text.length;
    if (found[0] === "*/") depth--;
    else if (engine === "postgres") depth++;
  }
  return mark.lastIndex;
}
