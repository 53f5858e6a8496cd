import { codeBlocks } from "../../test_support/markdown.ts";

/** What a page of recipes says to install, to write and to run. */
export interface RecipePage {
  /** npm specifiers, such as `vitest` or `next@16`, in the order of the page. */
  readonly packages: readonly string[];
  /**
   * Texts by path, of the blocks whose first line is a comment with the path of a file, and of JSON,
   * which has no comments, with the path after the language.
   */
  readonly files: Readonly<Record<string, string>>;
  /** The lines that begin with `npx`. */
  readonly commands: readonly RecipeCommand[];
}

/** A program of a package, and the variables that lines with `export` set before it. */
export interface RecipeCommand {
  /** Its words, without `npx`. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A first line that is a comment and nothing but a path: `// src/main.js`, `# schema.graphql`. */
const NAMED = /^(?:\/\/|#|<!--) ([\w./[\]-]+\.\w+)(?: -->)?\n/;

/** What a module imports from packages: the name of each, without a path inside of it. */
const IMPORTED = /(?:\bfrom|^import|\bimport\() ?"((?:@[\w-]+\/)?[\w-]+)(?:\/[^"]*)?"/gm;

/**
 * Reads the blocks of a page as a reader follows them.
 *
 * @throws {RangeError} If two blocks have the same file.
 */
export function parseRecipe(markdown: string): RecipePage {
  const files: Record<string, string> = {};
  const packages: string[] = [];
  const commands: RecipeCommand[] = [];
  let env: Record<string, string> = {};
  for (const { language, info, code } of codeBlocks(markdown)) {
    const path = language === "json" ? info || undefined : NAMED.exec(code)?.[1];
    if (path !== undefined) {
      if (Object.hasOwn(files, path)) throw new RangeError(`Cannot write "${path}": it is twice`);
      files[path] = code;
      continue;
    }
    if (language !== "sh") continue;
    for (const line of code.split("\n")) {
      const [first, ...words] = line.trim().split(/\s+/);
      if (first === "npm") packages.push(...words.slice(1).filter((word) => !word.startsWith("-")));
      if (first === "npx") commands.push({ words, env });
      if (first === "export") {
        const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(words.join(" ")) ?? [];
        env = { ...env, [name]: value };
      }
    }
  }
  return { files, packages, commands };
}

/** The packages that the files of a page import, without those of Node. */
export function importedPackages({ files }: RecipePage): string[] {
  const names = Object.values(files).flatMap((code) =>
    code.matchAll(IMPORTED).map(([, name = ""]) => name).toArray()
  );
  return [...new Set(names)].filter((name) => name !== "node").sort();
}
