import MarkdownIt from "markdown-it";

/** Lists the rows of all tables of a Markdown text, each as the texts of its cells, without heads. */
export function tableRows(markdown: string): string[][] {
  const tokens = new MarkdownIt().parse(markdown, {});
  const rows: string[][] = [];
  let isHead = false;
  for (const [at, { type }] of tokens.entries()) {
    if (type === "thead_open" || type === "tbody_open") isHead = type === "thead_open";
    if (isHead) continue;
    if (type === "tr_open") rows.push([]);
    if (type === "td_open") rows.at(-1)?.push(tokens[at + 1]?.content ?? "");
  }
  return rows;
}
