import { dirname } from "node:path/posix";
import { readMembers } from "../workspace.ts";
import { apiReference } from "./api_reference.ts";
import { type HomeAction, homePage } from "./home.ts";
import {
  type LinkTargets,
  REPOSITORY,
  rewriteLinks,
  withoutBadges,
  withoutContents,
} from "./links.ts";
import { llmsFull, llmsIndex } from "./llms.ts";
import { allPages, HOME, PROJECT, type SitePage, type SiteSection, siteSections } from "./pages.ts";

/** What the site has besides its pages, and where it is served. */
export interface StageOptions {
  /** The path that it is served at, with a slash at both ends. */
  readonly base: string;
  /** Links to the parts that are no pages, such as the example. */
  readonly parts: readonly HomeAction[];
}

/** The menu of the site, for VitePress. */
interface MenuItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly MenuItem[];
  readonly target?: string;
  readonly activeMatch?: string;
}

/**
 * Writes the pages of the site into a folder, from the Markdown files and the JSDoc of the
 * repository: each in `pages`, what VitePress reads in `site.json`, and in `public` the pictures, each
 * page as Markdown, `llms.txt` and `llms-full.txt`. Resolves with the pages.
 */
export async function stagePages(
  root: string,
  folder: string,
  options: StageOptions,
): Promise<readonly SitePage[]> {
  const sections = siteSections(await readMembers(root));
  const pages = allPages(sections);
  const texts = await readTexts(root, pages);
  const pictures = new Set<string>();
  const siteTexts = withLinks(texts, {
    pageAt: (source) => addressOf(pages, source, "/", ""),
    pictureAt: (file) => {
      pictures.add(file);
      return `/pictures/${file.replaceAll("/", "-")}`;
    },
  });
  const plainTexts = withLinks(texts, {
    pageAt: (source) => addressOf(pages, source, options.base, ".md"),
    pictureAt: (file) => `${options.base}pictures/${file.replaceAll("/", "-")}`,
  });
  for (const [page, text] of siteTexts) {
    await write(
      folder,
      `pages/${fileOf(page)}.md`,
      sitePage(page, text, siteTexts, sections, options),
    );
  }
  for (const [page, text] of plainTexts) await write(folder, `public/${fileOf(page)}.md`, text);
  await write(folder, "public/llms.txt", llmsIndex(sections, plainTexts, options.base));
  await write(folder, "public/llms-full.txt", llmsFull(plainTexts));
  await formatReference(
    pages.filter(({ entry }) => entry !== undefined)
      .map((page) => `${folder}/pages/${fileOf(page)}.md`),
  );
  await write(folder, "site.json", JSON.stringify(siteFacts(sections, pages, options)));
  for (const file of pictures) {
    await copy(`${root}/${file}`, `${folder}/public/pictures/${file.replaceAll("/", "-")}`);
  }
  await copy(`${root}/console/icon.svg`, `${folder}/public/icon.svg`);
  return pages;
}

/** The file of a page, without its ending. */
export function fileOf({ path }: SitePage): string {
  return path === "" || path.endsWith("/") ? `${path}index` : path;
}

function addressOf(
  pages: readonly SitePage[],
  source: string,
  base: string,
  ending: string,
): string | undefined {
  const page = pages.find((one) => one.source === source && one.entry === undefined);
  if (page === undefined) return undefined;
  return `${base}${ending === "" ? page.path : `${fileOf(page)}${ending}`}`;
}

async function readTexts(
  root: string,
  pages: readonly SitePage[],
): Promise<ReadonlyMap<SitePage, string>> {
  const entries = pages.flatMap(({ source, entry }) =>
    entry === undefined ? [] : [[source, entry] as const]
  );
  const reference = await apiReference(root, new Map(entries));
  const texts = await Promise.all(pages.map(async (page) => {
    const text = page.entry === undefined
      ? await Deno.readTextFile(`${root}/${page.source}`)
      : reference.get(page.source) ?? "";
    return [page, text] as const;
  }));
  return new Map(texts);
}

function withLinks(
  texts: ReadonlyMap<SitePage, string>,
  targets: LinkTargets,
): ReadonlyMap<SitePage, string> {
  return new Map([...texts].map(([page, text]) => [
    page,
    rewriteLinks(withoutBadges(text), page.source, targets),
  ]));
}

function sitePage(
  page: SitePage,
  text: string,
  texts: ReadonlyMap<SitePage, string>,
  sections: readonly SiteSection[],
  { parts }: StageOptions,
): string {
  if (page === HOME) {
    const readmes = [...texts].filter(([{ path }]) => path.endsWith("/"));
    const components = Object.fromEntries(readmes.map(([{ path }, text]) => [path, text]));
    const [first] = sections;
    const start = { text: "Get started", link: `/${first?.path}` };
    return homePage({ readme: text, components }, [start, ...parts]);
  }
  const section = sections.find(({ path }) => page.path.startsWith(path));
  const facts = {
    ...(section === undefined ? {} : { titleTemplate: `:title | ${section.title}` }),
    ...(page.words === undefined ? {} : { words: page.words }),
    ...(page.source.endsWith("CHANGELOG.md") ? { search: false } : {}),
  };
  return `---\n${JSON.stringify(facts)}\n---\n\n${withoutContents(text)}`;
}

function siteFacts(
  sections: readonly SiteSection[],
  pages: readonly SitePage[],
  { parts }: StageOptions,
): unknown {
  const toItem = ({ label, path }: SitePage): MenuItem => ({ text: label, link: `/${path}` });
  const nav: MenuItem[] = [
    ...sections.map(({ title, path }) => ({
      text: title,
      link: `/${path}`,
      activeMatch: `^/${path}`,
    })),
    ...parts,
  ];
  const sidebar = Object.fromEntries(sections.map(({ path, groups }) => [
    `/${path}`,
    groups.map(({ title, pages }) => ({ text: title, items: pages.map(toItem) })),
  ]));
  return {
    title: HOME.label,
    description:
      "Build and test a front end before its servers exist, and let agents work within limits.",
    repository: REPOSITORY,
    nav,
    sidebar: { ...sidebar, "/": [{ text: PROJECT.title, items: PROJECT.pages.map(toItem) }] },
    sources: Object.fromEntries(pages.map((page) => [`${fileOf(page)}.md`, page.source])),
  };
}

/** Breaks long lines of declarations where they would be cut off. */
async function formatReference(files: readonly string[]): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--no-config", "--line-width=76", ...files],
  });
  const { success, stderr } = await command.output();
  if (success) return;
  throw new Error(`Cannot format the API reference: ${new TextDecoder().decode(stderr)}`);
}

async function write(folder: string, file: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(`${folder}/${file}`), { recursive: true });
  await Deno.writeTextFile(`${folder}/${file}`, text);
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.copyFile(from, to);
}
