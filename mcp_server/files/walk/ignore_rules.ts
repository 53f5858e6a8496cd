import type { LinePatternCompiler } from "../../shared/line_pattern.ts";
import { compileGlob, type GlobTest } from "./glob.ts";

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

function attempt(create: () => GlobTest | undefined): GlobTest | undefined {
  try {
    return create();
  } catch {
    return undefined;
  }
}
