import { dirname, join } from "node:path/posix";

/** The repository's address, where files that are no pages are shown. */
export const REPOSITORY = "https://github.com/trestle-tools/trestle";

/** Where the links of a page lead. */
export interface LinkTargets {
  /** The address of a page, by the file that it is made from; undefined if the file is no page. */
  readonly pageAt: (source: string) => string | undefined;
  /** The address of a picture, by its file. */
  readonly pictureAt: (file: string) => string;
}

/** Code is left as it is; everything else that follows `](` is a target. */
const CODE_OR_TARGET =
  /(^( *)(```+|~~~+)[\s\S]*?^\2\3 *$|(`+)(?!`)[\s\S]*?[^`]\4(?!`))|\]\(([^()\s]+)\)/gm;

/**
 * Rewrites the links of a Markdown file for the site: to pages, to pictures, and to the repository
 * for all other files. Links to other hosts and within the file stay as they are.
 */
export function rewriteLinks(markdown: string, source: string, targets: LinkTargets): string {
  return markdown.replaceAll(
    CODE_OR_TARGET,
    (all: string, code: string | undefined, _indent, _fence, _ticks, target: string) =>
      code === undefined ? `](${siteTarget(target, source, targets)})` : all,
  );
}

const PICTURE = /\.(webp|png|svg)$/;

function siteTarget(target: string, source: string, { pageAt, pictureAt }: LinkTargets): string {
  if (target.startsWith("#") || URL.canParse(target)) return target;
  const [path = "", heading] = target.split("#");
  const file = join(dirname(source), path);
  if (PICTURE.test(file)) return pictureAt(file);
  const hash = heading === undefined ? "" : `#${heading}`;
  const page = pageAt(file.replace(/\/$/, "")) ?? pageAt(join(file, "README.md"));
  if (page !== undefined) return `${page}${hash}`;
  const isFolder = !/\.\w+$/.test(file) && !file.endsWith("LICENSE");
  return `${REPOSITORY}/${isFolder ? "tree" : "blob"}/main/${file.replace(/\/$/, "")}${hash}`;
}

/** Removes pictures from other hosts, and the links around them, which are badges. */
export function withoutBadges(markdown: string): string {
  return markdown.replaceAll(/^\[!\[[^\]]*\]\(https?:[^)]*\)\]\([^)]*\)\n/gm, "");
}

/** Removes a paragraph of links to the sections of its page: the site shows them beside the page. */
export function withoutContents(markdown: string): string {
  return markdown.replace(/\n\n\[[^\]]+\]\(#[^)]*\)(?:\s+·\s+\[[^\]]+\]\(#[^)]*\))+(?=\n\n)/, "");
}
