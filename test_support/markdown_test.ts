import { deepStrictEqual } from "node:assert/strict";
import { codeBlocks } from "./markdown.ts";

const MARKDOWN = `# Title

\`\`\`ts ignore now
const a = 1;

a;
\`\`\`

Text with \`code\`.

- item
  ~~~~json
  { "a": "\`\`\`" }
  ~~~~

> \`\`\`
> plain
> \`\`\`
`;

Deno.test("codeBlocks() gives language, info, code and line of each block", () => {
  deepStrictEqual(codeBlocks(MARKDOWN), [
    { language: "ts", info: "ignore now", code: "const a = 1;\n\na;\n", line: 3 },
    { language: "json", info: "", code: '{ "a": "```" }\n', line: 12 },
    { language: "", info: "", code: "plain\n", line: 16 },
  ]);
  deepStrictEqual(codeBlocks(""), []);
});
