import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { type CodeBlock, codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

/** Where a server listens whose operator sets nothing; the READMEs call it there. */
const DEFAULT_ADDRESS = "http://127.0.0.1:1234";

/** The `curl` commands of a README, each with the JSON block that shows its answer. */
async function shownAnswers(file: string): Promise<{ command: string; answer: unknown }[]> {
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

for (const file of ["README.md", "mcp_server/README.md"]) {
  Deno.test({
    ...requires("curl", `the calls that ${file} shows are answered as it says`),
    fn: async () => {
      await using data = await createTempFolder();
      const env = { MCP_DATA_DIR: data.path, DATABASE_URL: "", PGHOST: "" };
      await using server = await startServer({ env });
      const answers = await shownAnswers(file);
      strictEqual(answers.length > 0, true);
      for (const { command, answer } of answers) {
        const script = command.replaceAll(DEFAULT_ADDRESS, server.url);
        const { stdout } = await new Deno.Command("bash", { args: ["-c", script] }).output();
        deepStrictEqual(JSON.parse(new TextDecoder().decode(stdout)), answer, command);
      }
    },
  });
}
