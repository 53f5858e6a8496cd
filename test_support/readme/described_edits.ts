import { codeBlocks } from "../markdown.ts";

/** An edit that a page shows. */
export interface DescribedEdit {
  /** The lines that go. */
  readonly removed: string;
  /** The lines that come in their place. */
  readonly added: string;
}

/** Reads the edits that the `diff` blocks of a Markdown text show: lines with `-`, then with `+`. */
export function describedEdits(markdown: string): DescribedEdit[] {
  const blocks = codeBlocks(markdown).filter(({ language }) => language === "diff");
  return blocks.flatMap(({ code }) =>
    [...code.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)*)/gm)].map(([, removed = "", added = ""]) => ({
      removed: withoutSigns(removed),
      added: withoutSigns(added),
    }))
  );
}

/**
 * Makes edits in a program, wherever it has the lines that go. Throws a `RangeError` where one of
 * the edits finds nothing to do.
 */
export function withEdits(program: string, edits: readonly DescribedEdit[]): string {
  return edits.reduce((text, { removed, added }) => {
    if (text.includes(removed)) return text.replaceAll(removed, () => added);
    throw new RangeError(`Cannot edit the program: it lacks the line "${removed.trim()}"`);
  }, program);
}

function withoutSigns(lines: string): string {
  return lines.replaceAll(/^[-+]/gm, "");
}
