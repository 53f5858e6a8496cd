import { fail, strictEqual } from "node:assert/strict";
import stripJsonComments from "strip-json-comments";
import { type CodeBlock, codeBlocks } from "./readme/code_blocks.ts";
import { ROOT } from "./root.ts";
import { sourceFiles } from "./source_files.ts";

/** What each language's blocks are held to here; `deno test --doc` runs the TypeScript ones. */
const CHECKS: Readonly<Record<string, (block: CodeBlock) => void>> = {
  json: ({ code }) => void JSON.parse(code),
  jsonc: ({ code }) => void JSON.parse(stripJsonComments(code, { trailingCommas: true })),
  ts: ({ info }) => strictEqual(info, "", "a block of TypeScript runs as it stands"),
};

for (const file of await sourceFiles(ROOT, ["README.md", "MIGRATION.md", "CONTRIBUTING.md"])) {
  Deno.test(`the code blocks of ${file} are right`, async () => {
    for (const block of codeBlocks(await Deno.readTextFile(`${ROOT}/${file}`))) {
      try {
        CHECKS[block.language]?.(block);
      } catch (error) {
        fail(`Cannot accept the ${block.language} block at ${file}:${block.line}: ${error}`);
      }
    }
  });
}
