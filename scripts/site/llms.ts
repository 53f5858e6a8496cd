import { firstSentence } from "./home.ts";
import { HOME, PROJECT, type SitePage, type SiteSection } from "./pages.ts";

/** The Markdown of the pages, with links to each other's Markdown. */
export type PlainTexts = ReadonlyMap<SitePage, string>;

/**
 * The text of `llms.txt`, in the form of llmstxt.org: what the project is, and for each page a link
 * to its Markdown with its first sentence.
 */
export function llmsIndex(
  sections: readonly SiteSection[],
  texts: PlainTexts,
  base: string,
): string {
  const line = (page: SitePage) => {
    const about = firstSentence(texts.get(page) ?? "").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
    return `- [${page.entry ?? page.label}](${base}${plainFile(page)})${about && `: ${about}`}`;
  };
  const parts = sections.map(({ title, groups }) =>
    `## ${title}\n\n${groups.flatMap(({ pages }) => pages.map(line)).join("\n")}`
  );
  return [
    `# ${HOME.label}`,
    `> ${paragraphOf(texts.get(HOME) ?? "")}`,
    `All pages in one file: [llms-full.txt](${base}llms-full.txt)`,
    ...parts,
    `## Optional\n\n${PROJECT.pages.map(line).join("\n")}`,
  ].join("\n\n") + "\n";
}

/** The text of `llms-full.txt`: every page, with its file in the repository. */
export function llmsFull(texts: PlainTexts): string {
  return [...texts].map(([{ source }, text]) => `<!-- ${source} -->\n\n${text.trim()}\n`)
    .join("\n---\n\n");
}

function plainFile({ path }: SitePage): string {
  return path === "" || path.endsWith("/") ? `${path}index.md` : `${path}.md`;
}

function paragraphOf(markdown: string): string {
  return (markdown.split(/\n\n+/)[1] ?? "").replaceAll("\n", " ");
}
