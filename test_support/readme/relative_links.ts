import MarkdownIt from "markdown-it";

/** Lists the paths that the links of a Markdown text lead to, without those to other sites. */
export function relativeLinks(markdown: string): string[] {
  const inline = new MarkdownIt().parse(markdown, {}).flatMap(({ children }) => children ?? []);
  const targets = inline.flatMap((token) => token.attrGet("href") ?? token.attrGet("src") ?? []);
  return targets.map((target) => `${target}`.replace(/#.*$/, ""))
    .filter((path) => path !== "" && !URL.canParse(path));
}
