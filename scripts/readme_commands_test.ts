import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { type CodeBlock, codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { sourceFiles } from "./source_files.ts";

/** The default address of the server, which the pages use. */
const DEFAULT_ADDRESS = "http://127.0.0.1:1234";

/** The ids of jobs, and how pages show them. */
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const SHOWN_ID = "0b6e…";

/** The `curl` commands of a page, each with the JSON block that shows its answer. */
async function shownCalls(file: string): Promise<{ command: string; answer: unknown }[]> {
  const blocks = codeBlocks(await Deno.readTextFile(`${ROOT}/${file}`));
  return blocks.filter(isCall).map((block) => {
    const shown = blocks[blocks.indexOf(block) + 1];
    strictEqual(shown?.language, "json", `${file}:${block.line} shows its answer`);
    return { command: block.code, answer: JSON.parse(shown.code) };
  });
}

function isCall({ language, code }: CodeBlock): boolean {
  return language === "sh" && code.startsWith("curl ");
}

/** Pages whose commands are of other programs than the tool server. */
const RECIPES = "mirage_graphql/docs/recipes/";

const pages = await Promise.all(
  (await sourceFiles(ROOT, [".md"])).filter((file) => !file.startsWith(RECIPES))
    .map(async (file) => ({ file, calls: await shownCalls(file) })),
);
const callingPages = pages.filter(({ calls }) => calls.length > 0);

Deno.test("the pages of the tool server show calls", () => {
  const files = callingPages.map(({ file }) => file);
  for (const page of ["README.md", "docs/commands.md", "docs/http-api.md", "docs/sql-query.md"]) {
    ok(files.includes(`mcp_server/${page}`), page);
  }
  ok(files.includes("README.md"));
});

for (const { file, calls } of callingPages) {
  const usesJq = calls.some(({ command }) => /\bjq\b/.test(command));
  Deno.test({
    ...requires(usesJq ? "jq" : "curl", `the calls in ${file} return the shown answers`),
    fn: async () => {
      await using data = await createTempFolder();
      const env = { MCP_DATA_DIR: data.path, DATABASE_URL: "", PGHOST: "" };
      await using server = await startServer({ env });
      for (const { command, answer } of calls) {
        const script = command.replaceAll(DEFAULT_ADDRESS, server.url);
        const { stdout } = await new Deno.Command("bash", { args: ["-c", script] }).output();
        const shown = new TextDecoder().decode(stdout).replaceAll(ID, SHOWN_ID);
        deepStrictEqual(JSON.parse(shown), answer, command);
      }
    },
  });
}
