import { codeBlocks } from "../../test_support/markdown.ts";
import type { ChannelFiles } from "./client_manifests.ts";

/** The pages that show what a service consists of, and the files that are taken from each. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  "mcp_server/docs/deploy.md": ["/etc/systemd/system/trestle-mcp.service"],
  "mcp_server/docs/install.md": ["Dockerfile", "compose.yaml"],
};

/**
 * The unit of systemd, the Dockerfile and the compose file, as the pages show them, by their names.
 * Rejects with a `RangeError` if a page lacks one.
 */
export async function readServiceFiles(root: string): Promise<ChannelFiles> {
  const pages = await Promise.all(
    Object.entries(SHOWN).map(async ([page, paths]) => {
      const markdown = await Deno.readTextFile(`${root}/${page}`);
      return paths.map((path) => [nameOf(path), shownFile(markdown, path)]);
    }),
  );
  return Object.fromEntries(pages.flat());
}

/**
 * A file that a page shows: the block of code whose first line is a comment with the file's path,
 * without that line. Throws a `RangeError` if there is none.
 */
export function shownFile(markdown: string, path: string): string {
  const heading = `# ${path}\n`;
  const block = codeBlocks(markdown).find(({ code }) => code.startsWith(heading));
  if (block !== undefined) return block.code.slice(heading.length);
  throw new RangeError(`Cannot find "${path}": the page shows no such file`);
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}
