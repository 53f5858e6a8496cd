import { dirname, join } from "node:path/posix";
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
