import MarkdownIt from "markdown-it";

/** Lists the paths that the links of a Markdown text lead to, without those to other sites. */
export function relativeLinks(markdown: string): string[] {
  return targetsIn(markdown).map((target) => target.replace(/#.*$/, ""))
    .filter((path) => path !== "" && !URL.canParse(path));
}

/** Lists the links of a Markdown text to a heading, of its own where the path is empty. */
export function headingLinks(markdown: string): { path: string; heading: string }[] {
  return targetsIn(markdown).filter((target) => target.includes("#") && !URL.canParse(target))
    .map((target) => {
      const [path = "", heading = ""] = target.split("#");
      return { path, heading };
    });
}

/** Lists the names by which links find the headings of a Markdown text, as GitHub makes them. */
export function headingNames(markdown: string): string[] {
  const tokens = new MarkdownIt().parse(markdown, {});
  return tokens.flatMap(({ type }, at) => {
    if (type !== "heading_open") return [];
    const text = tokens[at + 1]?.children?.map(({ content }) => content).join("") ?? "";
    return text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
  });
}

function targetsIn(markdown: string): string[] {
  const inline = new MarkdownIt().parse(markdown, {}).flatMap(({ children }) => children ?? []);
  return inline.flatMap((token) => token.attrGet("href") ?? token.attrGet("src") ?? []).map(String);
}
