import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { codeBlocks } from "../../test_support/markdown.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { CHECK_HELP, parseCheckArgs } from "../checking/check_args.ts";

const PAGE = await Deno.readTextFile(new URL("../docs/check.md", import.meta.url));
const BLOCKS = codeBlocks(PAGE);
const COMMAND = "npx @trestle/mirage-graphql check ";

/** The first block of a language that contains a text. */
function block(language: string, part: string): string {
  const found = BLOCKS.find((one) => one.language === language && one.code.includes(part));
  ok(found, part);
  return found.code;
}

/** The words of each command, without the quotes of a shell. */
const COMMANDS = BLOCKS.flatMap(({ code }) => code.split("\n"))
  .filter((line) => line.startsWith(COMMAND))
  .map((line) => [...line.slice(COMMAND.length).matchAll(/'([^']*)'|(\S+)/g)])
  .map((words) => words.map(([, quoted, plain = ""]) => quoted ?? plain));

Deno.test("every command in the page on check is valid, and together they use every option", () => {
  for (const args of COMMANDS) ok(parseCheckArgs(args), args.join(" "));
  const used = new Set(["--help", ...COMMANDS.flat().filter((word) => word.startsWith("--"))]);
  const known = [...CHECK_HELP.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name);
  const documented = [...PAGE.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, name]) => name);
  deepStrictEqual(documented, known);
  deepStrictEqual(known.filter((name = "") => !used.has(name)), []);
});

Deno.test("the first check of the page prints and writes what the page shows", async () => {
  await using folder = await createTempFolder();
  await Deno.mkdir(`${folder.path}/src`);
  await Deno.writeTextFile(`${folder.path}/schema.graphql`, block("graphql", "type Todo"));
  await Deno.writeTextFile(`${folder.path}/src/todos.js`, block("js", "export const Frob"));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--no-check", new URL("../check.ts", import.meta.url).pathname],
      ...COMMANDS[0] ?? [],
    ],
    cwd: folder.path,
    env: { NO_COLOR: "1" },
  }).output();
  strictEqual(new TextDecoder().decode(stdout), block("text", "answers"));
  strictEqual(
    await Deno.readTextFile(`${folder.path}/src/stubs.ts`),
    block("ts", "export const resolvers"),
  );
});
