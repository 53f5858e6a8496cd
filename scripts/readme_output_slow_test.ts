import { strictEqual } from "node:assert/strict";
import { codeBlocks, shownOutput } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { sourceFiles } from "./source_files.ts";

const DEADLINE_MS = 180_000;

/** Runs a program as if it were a file of the repository; resolves with what it prints. */
async function printed(code: string): Promise<string> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--ext=ts", "-"],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).spawn();
  const output = process.output();
  const input = process.stdin.getWriter();
  await input.write(new TextEncoder().encode(code));
  await input.close();
  const { stdout, stderr, success } = await output;
  const decoder = new TextDecoder();
  strictEqual(success, true, decoder.decode(stderr));
  return decoder.decode(stdout);
}

/** Comments wrap lines differently. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

for (const file of await sourceFiles(ROOT, [".md"])) {
  const blocks = codeBlocks(await Deno.readTextFile(`${ROOT}/${file}`));
  const shown = blocks.filter(({ language, code }) =>
    language === "ts" && shownOutput(code) !== ""
  );
  if (shown.length === 0) continue;
  Deno.test(`the programs in ${file} print what their comments show`, async (t) => {
    for (const { code, line } of shown) {
      await t.step(`line ${line}`, async () => {
        strictEqual(withoutSpace(await printed(code)), withoutSpace(shownOutput(code)));
      });
    }
  });
}
