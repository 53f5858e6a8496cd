import { pathIn } from "../module_graph.ts";

/** A package as it is uploaded to JSR. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  /** Its files, as paths from the root of the workspace. */
  readonly files: readonly string[];
}

/**
 * Lists what would be published from a workspace, by a dry run. Throws if that is rejected, such as
 * for uncommitted changes.
 */
export async function publishedPackages(root: string): Promise<PublishedPackage[]> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run"],
    cwd: root,
    env: { NO_COLOR: "1" },
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  const report = decoder.decode(stdout) + decoder.decode(stderr);
  if (!success) throw new Error(`Cannot publish "${root}": ${report}`);
  return parsePublishReport(report, root);
}

/** Reads the packages and their files from the report of a dry run. */
export function parsePublishReport(report: string, root: string): PublishedPackage[] {
  const packages = report.matchAll(
    /^Simulating publish of (?<name>\S+)@(?<version>\S+) with files:\n(?<files>(?: +.*\n?)*)/gm,
  );
  return [...packages].map(({ groups: { name = "", version = "", files = "" } = {} }) => ({
    name,
    version,
    files: files.trim().split(/\n\s*/).map((line) => toPath(line, root)),
  }));
}

function toPath(line: string, root: string): string {
  const url = /^(file:\S+) \(.*\)$/.exec(line)?.[1];
  const path = url === undefined ? undefined : pathIn(root, url);
  if (path !== undefined) return path;
  throw new RangeError(
    `Cannot read the line "${line}" of a dry run: it names no file of "${root}"`,
  );
}
