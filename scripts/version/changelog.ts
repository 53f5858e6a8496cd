/** The heading under which the changes of a coming version are collected. */
export const UNRELEASED = "## Unreleased";

const TITLE = "# Changelog\n";
const HEADING = /^## .*$/m;

/**
 * Adds a version's heading to the text of a change log: the unreleased changes become the
 * version's; if there are none, the section is empty and waits for text. An empty text becomes a
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

/** The first version in a change log; `undefined` if there is none. */
export function latestVersion(text: string): string | undefined {
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([line]) => line);
  const latest = headings.find((heading) => heading !== UNRELEASED);
  return latest === undefined ? undefined : /^## (\S+)/.exec(latest)?.[1];
}
