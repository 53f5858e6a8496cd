import { match, strictEqual } from "node:assert/strict";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const PAGE = `${ROOT}/mcp_server/docs/jobs.md`;
/** The default address of the server, which the page uses. */
const DEFAULT_ADDRESS = "http://127.0.0.1:1234";
/** How long a program of the page may run; a bound, not an expectation. */
const DEADLINE_MS = 180_000;

const sections = (await Deno.readTextFile(PAGE)).split(/^## /m);

/** The code blocks of a language in one section. */
function codeOf(heading: string, language: string): string[] {
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return codeBlocks(section).filter((block) => block.language === language)
    .map(({ code }) => code);
}

/** Runs a program against a server of its own; resolves with what it prints. */
async function printed(program: string, args: readonly string[], code: string): Promise<string> {
  await using data = await createTempFolder();
  await using server = await startServer({ env: { MCP_DATA_DIR: data.path } });
  const { stdout, stderr, success } = await new Deno.Command(program, {
    args: [...args, code.replaceAll(DEFAULT_ADDRESS, server.url)],
    env: { NO_COLOR: "1" },
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).output();
  const decoder = new TextDecoder();
  strictEqual(success, true, decoder.decode(stderr));
  return decoder.decode(stdout);
}

/** Without the empty lines, which end a block of the page in one way and events in another. */
function withoutEmptyLines(text: string): string {
  return text.replaceAll(/\n+/g, "\n");
}

Deno.test({
  ...requires("curl", "the commands in docs/jobs.md print what it shows"),
  fn: async () => {
    const script = codeOf("With curl", "sh").join("");
    const shown = codeOf("With curl", "text").join("");
    strictEqual(
      withoutEmptyLines(await printed("bash", ["-euc"], script)),
      withoutEmptyLines(shown),
    );
  },
});

Deno.test("the program in docs/jobs.md sees the end and the output of its job", async () => {
  const [code = ""] = codeOf("From a program", "js");
  const output = await printed(Deno.execPath(), ["eval", "--ext=js"], code);
  match(output, /^completed \{.*\}\nbuilt\n\n$/s);
});
