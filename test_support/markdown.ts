import MarkdownIt from "markdown-it";
import { headingSlug } from "./heading_slug.ts";

/** A fenced block of code in a Markdown text. */
export interface CodeBlock {
  /** First word after the fence; empty if there is none. */
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

/** The first example in TypeScript of a module's documentation; throws if there is none. */
export function moduleExample(source: string): string {
  const blocks = codeBlocks(source.replaceAll(/^ \* ?/gm, ""));
  const example = blocks.find(({ language }) => language === "ts");
  if (example === undefined) throw new RangeError("Cannot find an example in the documentation");
  return example.code;
}

/** An edit that a page shows. */
export interface DiffEdit {
  /** The lines to remove. */
  readonly removed: string;
  /** The lines that replace them. */
  readonly added: string;
}

/** Reads the edits that the `diff` blocks of a Markdown text show: lines with `-`, then with `+`. */
export function diffEdits(markdown: string): DiffEdit[] {
  const blocks = codeBlocks(markdown).filter(({ language }) => language === "diff");
  return blocks.flatMap(({ code }) =>
    [...code.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)*)/gm)].map(([, removed = "", added = ""]) => ({
      removed: withoutSigns(removed),
      added: withoutSigns(added),
    }))
  );
}

/**
 * Applies edits to a program, wherever it has the lines to remove. Throws a `RangeError` if an edit
 * matches nothing.
 */
export function withEdits(program: string, edits: readonly DiffEdit[]): string {
  return edits.reduce((text, { removed, added }) => {
    if (text.includes(removed)) return text.replaceAll(removed, () => added);
    throw new RangeError(`Cannot edit the program: it lacks the line "${removed.trim()}"`);
  }, program);
}

function withoutSigns(lines: string): string {
  return lines.replaceAll(/^[-+]/gm, "");
}

/** Lists the paths that the links of a Markdown text lead to, without those to other sites. */
export function relativeLinks(markdown: string): string[] {
  return targetsIn(markdown).map((target) => target.replace(/#.*$/, ""))
    .filter((path) => path !== "" && !URL.canParse(path));
}

/** Lists the links of a Markdown text to a heading; an empty path means the text itself. */
export function headingLinks(markdown: string): { path: string; heading: string }[] {
  return targetsIn(markdown).filter((target) => target.includes("#") && !URL.canParse(target))
    .map((target) => {
      const [path = "", heading = ""] = target.split("#");
      return { path, heading };
    });
}

/**
 * Lists the anchors of a Markdown text's headings, as GitHub creates them; with a level from 1 to
 * 6, only those of that level.
 */
export function headingNames(markdown: string, level?: number): string[] {
  const tokens = new MarkdownIt().parse(markdown, {});
  const taken = new Map<string, number>();
  return tokens.flatMap(({ type, tag }, at) => {
    if (type !== "heading_open") return [];
    const text = tokens[at + 1]?.children?.map(({ content }) => content).join("") ?? "";
    const slug = headingSlug(text);
    const times = taken.get(slug) ?? 0;
    taken.set(slug, times + 1);
    if (level !== undefined && tag !== `h${level}`) return [];
    return times === 0 ? slug : `${slug}-${times}`;
  });
}

function targetsIn(markdown: string): string[] {
  const inline = new MarkdownIt().parse(markdown, {}).flatMap(({ children }) => children ?? []);
  return inline.flatMap((token) => token.attrGet("href") ?? token.attrGet("src") ?? []).map(String);
}

/** A statement that prints, the comment at its end, and the comments directly after it. */
const PRINTED =
  /^( *)console\.log\((?:.*?\);(?= *\/\/|$)|\n[\s\S]*?\n\1\);)(?: *\/\/ (.*))?$((?:\n *\/\/ .*)*)/gm;

/**
 * Returns the output that a program documents in the comments after its `console.log()` calls;
 * empty if there are none.
 */
export function shownOutput(code: string): string {
  const shown = code.matchAll(PRINTED).flatMap(([, _indent, atEnd, below = ""]) => [
    atEnd ?? "",
    ...below.split(/\n *\/\/ /).slice(1),
  ]);
  return [...shown].filter((line) => line !== "").join("\n");
}

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
