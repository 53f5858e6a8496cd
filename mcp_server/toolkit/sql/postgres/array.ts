/** The elements of an array: texts, `null`, and arrays of them. */
export type ArrayItems = (string | null | ArrayItems)[];

/**
 * Reads an array in PostgreSQL's text form (manual, 8.15.6), such as `{1,NULL,{"a b"}}`; bounds
 * before it, as in `[0:1]={1,2}`, are left out.
 */
export function parsePostgresArray(text: string, delimiter: string): ArrayItems {
  let at = text.indexOf("{") + 1;
  return items();

  function items(): ArrayItems {
    const found: ArrayItems = [];
    while (text[at] !== "}" && at < text.length) {
      found.push(item());
      if (text[at] === delimiter) at++;
    }
    at++;
    return found;
  }

  function item(): string | null | ArrayItems {
    if (text[at] === "{") {
      at++;
      return items();
    }
    if (text[at] === '"') return quoted();
    const start = at;
    while (text[at] !== delimiter && text[at] !== "}" && at < text.length) at++;
    const plain = text.slice(start, at).replaceAll(/\\(.)/gs, "$1");
    return plain.toUpperCase() === "NULL" ? null : plain;
  }

  function quoted(): string {
    const start = ++at;
    while (text[at] !== '"' && at < text.length) at += text[at] === "\\" ? 2 : 1;
    return text.slice(start, at++).replaceAll(/\\(.)/gs, "$1");
  }
}
