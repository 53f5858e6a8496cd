/** White space and comments as SQLite reads them (sqlite.org, "SQL Comment Syntax"), and `;`. */
const NOTHING = /^(?:[ \t\n\f\r;]+|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))/;

/** Tells whether a text holds no statement: SQLite would compile it to nothing. */
export function isBlankSql(text: string): boolean {
  let rest = text;
  for (let found = NOTHING.exec(rest); found !== null; found = NOTHING.exec(rest)) {
    rest = rest.slice(found[0].length);
  }
  return rest === "";
}
