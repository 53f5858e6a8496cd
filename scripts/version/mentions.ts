import { sourceFiles } from "../source_files.ts";

/** A mention of a package in a text. */
export interface Mention {
  /** Name of the package, with its scope. */
  readonly name: string;
  /** The version after the name, without a range operator. */
  readonly version?: string;
  /** What is imported of it, as a key of `exports`. */
  readonly entry: string;
  /** Line of the text, from 1. */
  readonly line: number;
}

const VERSION = String.raw`\d+\.\d+\.\d+`;

/** Lists the documents that mention current packages, and the manifests of examples. */
export async function mentioningFiles(root: string): Promise<string[]> {
  const files = await sourceFiles(root, [".md", "package.json"]);
  return files.filter((path) => !path.endsWith("CHANGELOG.md"));
}

/** Finds where a text imports a package of a scope, depends on one, or names the archive of one. */
export function findMentions(text: string, scope: string): Mention[] {
  const imports = new RegExp(
    String.raw`(@${scope}/[\w-]+)(?:(?:@|":\s*")[\^~]?(${VERSION})|@[^\s/"'\x60]+)?((?:/[\w-]+)*)`,
    "g",
  );
  const archives = new RegExp(String.raw`\b${scope}-([\w-]+?)-(${VERSION})\.tgz`, "g");
  return [
    ...[...text.matchAll(imports)].map(({ index, 1: name = "", 2: version, 3: path = "" }) =>
      toMention(index, { name, version, entry: `.${path}` })
    ),
    ...[...text.matchAll(archives)].map(({ index, 1: name = "", 2: version }) =>
      toMention(index, { name: `@${scope}/${name}`, version, entry: "." })
    ),
  ].sort((a, b) => a.line - b.line);

  function toMention(at: number, found: Omit<Mention, "line">): Mention {
    return { ...found, line: text.slice(0, at).split("\n").length };
  }
}

/** Replaces a package's version wherever a text names one. */
export function withVersion(text: string, name: string, version: string): string {
  const archive = name.replace(/^@/, "").replace("/", "-");
  return text
    .replaceAll(new RegExp(String.raw`(${name}(?:@|":\s*")[\^~]?)${VERSION}`, "g"), `$1${version}`)
    .replaceAll(new RegExp(String.raw`(\b${archive}-)${VERSION}(?=\.tgz)`, "g"), `$1${version}`);
}
