import { dirname, join, relative } from "node:path/posix";
import { relativeLinks } from "../../test_support/markdown.ts";

/**
 * Lists the links, in the Markdown files of a package, to a file that the package lacks: a link that
 * works in the repository is dead on npm and JSR if its target is not published with it.
 */
export async function deadLinks(folder: string, files: readonly string[]): Promise<string[]> {
  const pages = files.filter((file) => file.endsWith(".md"));
  const links = pages.map(async (page) => {
    const text = await Deno.readTextFile(`${folder}/${page}`);
    return relativeLinks(text).map((path) => ({ page, path }));
  });
  return (await Promise.all(links)).flat()
    .filter(({ page, path }) => !files.includes(join(dirname(page), path)))
    .map(({ page, path }) => `${page} links to ${path}`);
}

/**
 * Lists the links of a built site that lead to no file of it, or to no anchor of their page. Links
 * to other hosts are left out.
 *
 * @param folder The site's files; a page `a.html` is at `/a`, and `a/index.html` at `/a/`.
 * @param base The path that the site is served at, with a slash at both ends.
 */
export async function deadSiteLinks(folder: string, base: string): Promise<string[]> {
  const pages = new Map<string, string>();
  const files = new Set<string>();
  for await (const file of filesBelow(folder)) {
    const path = relative(folder, file);
    files.add(path);
    if (file.endsWith(".html")) pages.set(path, await Deno.readTextFile(file));
  }
  const anchors = new Map([...pages].map(([file, html]) => [file, anchorsIn(html)]));
  return [...pages].flatMap(([page, html]) =>
    [...targetsIn(html)].filter((target) => !leads(target, page)).map((target) =>
      `${page} links to ${target}`
    )
  );

  function leads(target: string, page: string): boolean {
    const { origin, pathname, hash } = new URL(target, `${SITE}${base}${page}`);
    if (origin !== SITE) return true;
    if (!pathname.startsWith(base)) return false;
    const path = decodeURIComponent(pathname.slice(base.length));
    const file = [path, `${path}.html`, `${path}index.html`].find((one) => files.has(one));
    if (file === undefined) return false;
    return hash === "" || anchors.get(file)?.has(decodeURIComponent(hash.slice(1))) === true;
  }
}

/** A host that no link has. */
const SITE = "http://site.invalid";

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

function anchorsIn(html: string): Set<string> {
  return new Set(html.matchAll(/<[^>]* id="([^"]*)"/g).map(([, id = ""]) => unescaped(id)));
}

function targetsIn(html: string): Set<string> {
  const found = html.matchAll(/<[^>]* (?:href|src)="([^"]*)"/g);
  return new Set(found.map(([, target = ""]) => unescaped(target)));
}

function unescaped(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
}
