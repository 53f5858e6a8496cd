import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path/posix";
import type { LinePatternCompiler } from "../../shared/line_pattern.ts";
import { compileGlob, type GlobTest } from "./glob.ts";

/** How a walk reaches what is below its start, by real paths, of which some may be refused. */
export interface WalkAccess {
  /**
   * Goes to a folder, and returns what the names in it start with from then on; `undefined` if the
   * caller may not use it, or if a link is on the way.
   */
  enter(folder: string): string | undefined;
  /** Goes to the folder of a file, and returns what the file is called there; `undefined` as above. */
  locate(file: string): string | undefined;
  /** Whether the caller may use a path. */
  allows(path: string): boolean;
}

/** The access of a caller that may use all paths. */
export const BY_PATH: WalkAccess = Object.freeze({
  enter: prefixOf,
  locate: (file: string): string => file,
  allows: (): boolean => true,
});

/** What a walk leaves out. */
export interface WalkOptions {
  readonly access: WalkAccess;
  readonly compile: LinePatternCompiler;
  /** Whether the walk visits what a `.gitignore` names, too. */
  readonly all: boolean;
  /** How many levels of folders it visits. */
  readonly depth: number;
}

/** A file, a folder or something else that a walk visits. */
export interface WalkEntry {
  /** Its path below the start. */
  readonly path: string;
  readonly name: string;
  /** The path by which it can be used until the walk goes on. */
  readonly at: string;
  readonly type: "file" | "folder" | "link" | "other";
}

/**
 * Visits what is below a folder in the order of its paths: the names of a folder are sorted, and a
 * folder is followed by what is in it. Follows no link, and leaves out `.git` and what can't be read.
 * Yields `undefined` for what is left out, so that the walk can pause. Throws the system's error if the
 * folder itself can't be read.
 */
export function* walkFolder(
  root: string,
  options: WalkOptions,
): Generator<WalkEntry | undefined, void> {
  const above = options.all ? undefined : rulesAbove(root, options);
  const folder = openFolder(root, above, options);
  if (folder !== undefined) yield* visit(folder, options.depth, options, prefixOf(root).length);
}

const REPOSITORY = ".git";
const IGNORE_FILE = ".gitignore";

function* visit(
  { path: folder, prefix, names, rules }: WalkedFolder,
  depth: number,
  options: WalkOptions,
  start: number,
): Generator<WalkEntry | undefined, void> {
  const { access } = options;
  let at: string | undefined = prefix;
  for (const listed of names) {
    const [name = "", type = ""] = listed.split(SEPARATOR);
    const path = prefixOf(folder) + name;
    const isFolder = type === FOLDER;
    const isIgnored = name === REPOSITORY || rules?.ignores(path, name, isFolder) === true;
    if (isIgnored || !access.allows(path)) {
      yield undefined;
      continue;
    }
    at ??= attempt(() => access.enter(folder));
    if (at === undefined) return;
    yield { path: path.slice(start), name, at: at + name, type: TYPES[type] ?? "other" };
    if (!isFolder || depth === 1) continue;
    const inner = attempt(() => openFolder(path, rules, options));
    if (inner !== undefined) yield* visit(inner, depth - 1, options, start);
    at = undefined;
  }
}

/** A folder that is entered. */
interface WalkedFolder {
  readonly path: string;
  /** What its names start with. */
  readonly prefix: string;
  /** Each with its type behind a NUL: a million of them take less memory and time so than as objects. */
  readonly names: readonly string[];
  readonly rules: IgnoreRules | undefined;
}

function openFolder(
  path: string,
  above: IgnoreRules | undefined,
  { access, all, compile }: WalkOptions,
): WalkedFolder | undefined {
  const prefix = access.enter(path);
  if (prefix === undefined) return undefined;
  const special = new Set<string>();
  const names: string[] = [];
  for (const entry of Deno.readDirSync(prefix)) {
    if (entry.name === REPOSITORY || entry.name === IGNORE_FILE) special.add(entry.name);
    names.push(entry.name + SEPARATOR + typeOf(entry));
  }
  names.sort();
  if (all) return { path, prefix, names, rules: undefined };
  const outer = special.has(REPOSITORY) ? undefined : above;
  const text = special.has(IGNORE_FILE) ? readIgnoreFile(prefix + IGNORE_FILE) : undefined;
  const rules = text === undefined
    ? outer
    : new IgnoreRules(text, { above: outer, prefix: prefixOf(path), compile });
  return { path, prefix, names, rules };
}

const SEPARATOR = "\0";
const [FILE, FOLDER, LINK, OTHER] = ["f", "d", "l", "o"] as const;
const TYPES: Readonly<Record<string, WalkEntry["type"]>> = {
  [FILE]: "file",
  [FOLDER]: "folder",
  [LINK]: "link",
};

function typeOf({ isFile, isDirectory, isSymlink }: Deno.DirEntry): string {
  if (isFile) return FILE;
  if (isDirectory) return FOLDER;
  return isSymlink ? LINK : OTHER;
}

/** The rules of the folders above one, up to the root of its repository, as far as they can be read. */
function rulesAbove(
  root: string,
  { access, compile }: WalkOptions,
): IgnoreRules | undefined {
  const found: { prefix: string; text: string }[] = [];
  const located = (path: string) => attempt(() => access.locate(path));
  for (let folder = root; folder !== "/";) {
    folder = dirname(folder);
    const prefix = prefixOf(folder);
    const name = located(prefix + IGNORE_FILE);
    const text = name === undefined ? undefined : readIgnoreFile(name);
    if (text !== undefined) found.push({ prefix, text });
    const repository = located(prefix + REPOSITORY);
    if (repository !== undefined && attempt(() => lstatSync(repository)) !== undefined) break;
  }
  return found.reduceRight<IgnoreRules | undefined>(
    (above, { prefix, text }) => new IgnoreRules(text, { above, prefix, compile }),
    undefined,
  );
}

/** More of a `.gitignore` does not count. */
const MOST_IGNORE_BYTES = 1024 * 1024;

function readIgnoreFile(name: string): string | undefined {
  const file = openRegular(name);
  if (file === undefined) return undefined;
  try {
    const bytes = new Uint8Array(MOST_IGNORE_BYTES);
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes)));
  } finally {
    closeSync(file);
  }
}

/** Opens a regular file, and follows no link; `undefined` for anything else. Never waits. */
export function openRegular(name: string): number | undefined {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = attempt(() => openSync(name, flags));
  if (file === undefined || fstatSync(file).isFile()) return file;
  closeSync(file);
  return undefined;
}

/** What work returns, or `undefined` if the system refuses it. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** What the paths in a folder start with. */
function prefixOf(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}

/** One line of a `.gitignore`. */
interface IgnoreRule {
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** Whether it is about paths, not names. */
  readonly isAnchored: boolean;
  readonly test: GlobTest;
}

/** A longer glob is left out; nobody writes one. */
const MOST_GLOB = 1_000;

/** The rules of a `.gitignore` of a folder, and those of the folders above it (gitignore(5)). */
export class IgnoreRules {
  readonly #above: IgnoreRules | undefined;
  /** What the paths of its folder start with. */
  readonly #prefix: string;
  readonly #rules: readonly IgnoreRule[];

  /** Takes the path of the folder, with a slash at its end. */
  constructor(
    text: string,
    { above, prefix, compile }: {
      readonly above: IgnoreRules | undefined;
      readonly prefix: string;
      readonly compile: LinePatternCompiler;
    },
  ) {
    this.#above = above;
    this.#prefix = prefix;
    this.#rules = text.replace(/^\ufeff/, "").split("\n").flatMap((line) => {
      const rule = parseRule(line.replace(/\r$/, ""), compile);
      return rule === undefined ? [] : [rule];
    }).reverse();
  }

  /** Whether a path is left out, if the folders above it are not: the last rule that matches counts. */
  ignores(path: string, name: string, isFolder: boolean): boolean {
    const below = path.slice(this.#prefix.length);
    const rule = this.#rules.find(({ foldersOnly, isAnchored, test }) =>
      (isFolder || !foldersOnly) && test(isAnchored ? below : name)
    );
    if (rule !== undefined) return !rule.isNegated;
    return this.#above?.ignores(path, name, isFolder) ?? false;
  }
}

function parseRule(line: string, compile: LinePatternCompiler): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  let glob = line.replace(/((?:^|[^\\])(?:\\\\)*(?:\\ )?) +$/, "$1");
  const isNegated = glob.startsWith("!");
  if (isNegated) glob = glob.slice(1);
  const foldersOnly = glob.endsWith("/");
  if (foldersOnly) glob = glob.slice(0, -1);
  const isAnchored = glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  if (glob === "" || glob.length > MOST_GLOB) return undefined;
  const test = lazily(() => compileGlob(glob, compile));
  return { isNegated, foldersOnly, isAnchored, test };
}

/** A glob that is compiled when it is first needed; one that can't be matches nothing. */
function lazily(create: () => GlobTest | undefined): GlobTest {
  let test: GlobTest | undefined;
  return (text) => {
    test ??= attempt(create) ?? (() => false);
    return test(text);
  };
}
