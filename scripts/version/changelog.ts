/** The heading under which the changes of a coming version are collected. */
export const UNRELEASED = "## Unreleased";

const TITLE = "# Changelog\n";
const HEADING = /^## .*$/m;

/**
 * Gives a version its heading in the text of a change log: the unreleased changes become its own;
 * where there are none, the heading stands over nothing and asks for words. An empty text becomes a
 * change log.
 */
export function withHeading(
  text: string,
  { version, date }: { version: string; date: string },
): string {
  const heading = `## ${version} (${date})`;
  const log = text.trim() === "" ? TITLE : text;
  const first = HEADING.exec(log);
  if (first === null) return `${log.trimEnd()}\n\n${heading}\n`;
  const before = log.slice(0, first.index);
  if (first[0] !== UNRELEASED) return `${before}${heading}\n\n${log.slice(first.index)}`;
  return `${before}${heading}${log.slice(first.index + UNRELEASED.length)}`;
}

/** The version that a change log tells of first; `undefined` where it tells of none. */
export function latestVersion(text: string): string | undefined {
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([line]) => line);
  const latest = headings.find((heading) => heading !== UNRELEASED);
  return latest === undefined ? undefined : /^## (\S+)/.exec(latest)?.[1];
}
