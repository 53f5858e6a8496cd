import { readdir, readFile as readBytes, stat } from "node:fs/promises";
import { join, normalize, sep } from "node:path";
// @ts-types="npm:@types/picomatch@^4.0.3"
import picomatch from "picomatch";
import { ServeError, toServeError } from "./serve_error.ts";

const ENDING = /\.(graphqls?|gql)$/i;
const WILDCARD = /[*?[\]{}]/;

/** The limit of folders and files: more are probably not those of a schema. */
const MAX_ENTRIES = 10_000;

/**
 * Finds the files that paths, folders and glob patterns name, in the order of the sources, and those
 * of one source by name. Of a folder, these are the `.graphql`, `.graphqls` and `.gql` files in it
 * and below; `node_modules` and hidden folders are skipped.
 *
 * @throws {ServeError} If a folder or glob matches no file, or is too large to search.
 */
export async function findSchemaFiles(
  sources: readonly string[],
  ending: RegExp = ENDING,
): Promise<string[]> {
  const found = await Promise.all(sources.map((source) => findOf(source, ending)));
  return [...new Set(found.flat())];
}

async function findOf(source: string, ending: RegExp): Promise<readonly string[]> {
  const info = await stat(source).catch(() => undefined);
  if (info?.isDirectory()) return await findIn(source, source, (path) => ending.test(path));
  // missing files are reported when they are read
  if (info !== undefined || !WILDCARD.test(source)) return [source];
  const pattern = normalize(source);
  const matches = picomatch(withSlashes(pattern));
  return await findIn(source, baseOf(pattern), (path) => matches(withSlashes(path)));
}

function withSlashes(path: string): string {
  return path.replaceAll(sep, "/");
}

/** The folder before the first wildcard. */
function baseOf(pattern: string): string {
  const fixed = pattern.slice(0, pattern.search(WILDCARD));
  return fixed.slice(0, Math.max(fixed.lastIndexOf("/"), fixed.lastIndexOf("\\")) + 1) || ".";
}

async function findIn(
  source: string,
  base: string,
  isWanted: (path: string) => boolean,
): Promise<readonly string[]> {
  const folders = [normalize(base)];
  const files: string[] = [];
  // grows while it is walked
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) {
        if (isWanted(path)) files.push(path);
      } else if (!entry.name.startsWith(".") && entry.name !== "node_modules") folders.push(path);
    }
    if (folders.length + files.length > MAX_ENTRIES) {
      throw new ServeError(
        `Cannot serve "${source}": it has more than ${MAX_ENTRIES} folders and files; name a ` +
          "folder that has only the schema",
      );
    }
  }
  if (files.length > 0) return files.sort();
  throw new ServeError(
    `Cannot serve "${source}": there is no ${
      source === base ? ".graphql, .graphqls or .gql file in it" : "such file"
    }`,
  );
}

/** A file, or the response of a URL. */
export interface ReadFile {
  /** Path or URL, for messages. */
  readonly path: string;
  readonly text: string;
}

/**
 * Reads a text file; a byte order mark, which some editors write, is removed.
 *
 * @throws {ServeError} If it can't be read, or is not UTF-8.
 */
export async function readFile(path: string): Promise<ReadFile> {
  try {
    const bytes = await readBytes(path);
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (cause) {
    const reason = cause instanceof TypeError
      ? "it is not UTF-8"
      : isMissing(cause)
      ? "No such file"
      : reasonOf(cause);
    throw toServeError(path, [new ServeError(`Cannot read the file: ${reason}`, { cause })]);
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

/** The message of anything that was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
