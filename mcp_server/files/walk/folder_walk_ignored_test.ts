import { deepStrictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { times } from "../../../test_support/tier.ts";
import { loadLinePatterns } from "../../shared/line_pattern.ts";
import { BY_PATH, walkFolder } from "./folder_walk.ts";

const compile = await loadLinePatterns();
/** The settings and templates of this machine do not count. */
const ENV = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_TEMPLATE_DIR: "" };

async function git(folder: string, ...args: string[]): Promise<string> {
  const command = new Deno.Command("git", { args, cwd: folder, env: ENV, stderr: "null" });
  return new TextDecoder().decode((await command.output()).stdout);
}

/** The files that git sees, in the order of a walk. */
async function seenByGit(folder: string): Promise<string[]> {
  const text = await git(folder, "ls-files", "--others", "--exclude-standard", "-z");
  return text.split("\0").filter((path) => path !== "").sort();
}

function seenByWalk(folder: string): string[] {
  const walk = walkFolder(folder, { access: BY_PATH, compile, all: false, depth: Infinity });
  return [...walk].flatMap((entry) => entry?.type === "file" ? [entry.path] : []).sort();
}

async function createTree(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const at = `${folder}/${path}`;
    await Deno.mkdir(at.slice(0, at.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(at, text);
  }
}

const NAMES = ["a", "b", "ab", "c.ts", "x y"];
/** All but stars beside a letter, as in `a**`: git takes them for folders, unlike its manual. */
const PARTS = fc.constantFrom(
  ...NAMES,
  ...["*", "**", "?", "a*", "*b", "[ab]", "[!a]", "[^b-c]", "\\a", "[a", "[]-a]", "[[:alpha:]]"],
  ...["*.ts", "x\\ y", "***", "[\\a-b]b", "{a,b}", "\\", "x y ", "a\\ "],
);
const RULE = fc.record({
  not: fc.constantFrom("", "", "!"),
  start: fc.constantFrom("", "", "/"),
  parts: fc.array(PARTS, { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom("", "", "/", " "),
}).map(({ not, start, parts, end }) => not + start + parts.join("/") + end);
const RULES = fc.array(RULE, { maxLength: 4 }).map((rules) => rules.join("\n"));

/** Every name in every folder of three levels. */
const TREE = Object.fromEntries(
  ["", "a/", "b/", "ab/", "a/b/", "a/ab/", "b/x y/"].flatMap((folder) =>
    NAMES.filter((name) => !["a", "b", "ab", "x y"].includes(name) || folder.length > 3)
      .map((name) => [`${folder}${name}`, ""])
  ).concat([["a/a", ""], ["b/b", ""], ["ab/ab", ""], ["x y", ""]]),
);

Deno.test("a walk sees the files that git does, whatever the .gitignore says", async () => {
  await using temporary = await createTempFolder();
  const folder = temporary.path;
  await git(folder, "init", "--quiet");
  await createTree(folder, TREE);
  const check = async (top: string, inner: string) => {
    await createTree(folder, { ".gitignore": top, "a/.gitignore": inner });
    deepStrictEqual(seenByWalk(folder), await seenByGit(folder));
  };
  await fc.assert(fc.asyncProperty(RULES, RULES, check), { numRuns: times(40, 300) });
});

Deno.test("the .gitignore of folders above counts, up to the root of the repository", async () => {
  await using temporary = await createTempFolder();
  const folder = temporary.path;
  await createTree(folder, {
    ".gitignore": "*.log\n/in/*.tmp\n",
    "in/a.log": "",
    "in/a.tmp": "",
    "in/a.txt": "",
    "in/repository/.git/config": "",
    "in/repository/.gitignore": "\ufeff*.txt\r\n!keep.txt\r\n",
    "in/repository/b.log": "",
    "in/repository/b.txt": "",
    "in/repository/keep.txt": "",
  });
  const inside = [".gitignore", "b.log", "keep.txt"];
  deepStrictEqual(seenByWalk(`${folder}/in/repository`), inside);
  deepStrictEqual(seenByWalk(`${folder}/in`), [
    "a.txt",
    ...inside.map((name) => `repository/${name}`),
  ]);
});
