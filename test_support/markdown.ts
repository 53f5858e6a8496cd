import MarkdownIt from "markdown-it";

/** A fenced block of code in a Markdown text. */
export interface CodeBlock {
  /** First word after the fence; empty where there is none. */
  readonly language: string;
  /** The words after the language. */
  readonly info: string;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

/** Lists the fenced code blocks of a Markdown text, those inside lists and quotes included. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const fences = new MarkdownIt().parse(markdown, {}).filter(({ type }) => type === "fence");
  return fences.map(({ info, content, map }) => {
    const [language = "", ...words] = info.trim().split(/\s+/);
    return { language, info: words.join(" "), code: content, line: (map?.[0] ?? 0) + 1 };
  });
}
