import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  codeBlocks,
  diffEdits,
  headingLinks,
  headingNames,
  relativeLinks,
  shownOutput,
  tableRows,
  withEdits,
} from "./markdown.ts";

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

Deno.test("codeBlocks() returns language, info, code and line of each block", () => {
  deepStrictEqual(codeBlocks(MARKDOWN), [
    { language: "ts", info: "ignore now", code: "const a = 1;\n\na;\n", line: 3 },
    { language: "json", info: "", code: '{ "a": "```" }\n', line: 12 },
    { language: "", info: "", code: "plain\n", line: 16 },
  ]);
  deepStrictEqual(codeBlocks(""), []);
});

const PAGE = `# Move

\`\`\`diff
-import { a, b } from "old";
+import { a, b } from "new";
 const c = a();
-b<c>("$&");
-b();
+b("$&");
\`\`\`

\`\`\`ts
-b();
\`\`\`
`;

const EDITS = [
  { removed: 'import { a, b } from "old";\n', added: 'import { a, b } from "new";\n' },
  { removed: 'b<c>("$&");\nb();\n', added: 'b("$&");\n' },
];

Deno.test("diffEdits() reads what each diff block removes and adds", () => {
  deepStrictEqual(diffEdits(PAGE), EDITS);
  deepStrictEqual(diffEdits("```diff\n-gone\n```\n"), [{ removed: "gone\n", added: "" }]);
});

Deno.test("withEdits() replaces the removed lines and nothing else", () => {
  const old = `// from "old"\n${EDITS.map(({ removed }) => removed).join("const d = 1;\n")}`;
  const edited = `// from "old"\n${EDITS.map(({ added }) => added).join("const d = 1;\n")}`;
  strictEqual(withEdits(old, EDITS), edited);
  throws(() => withEdits(edited, EDITS), {
    name: "RangeError",
    message: 'Cannot edit the program: it lacks the line "import { a, b } from "old";"',
  });
});

Deno.test("relativeLinks() lists the paths of links and images", () => {
  const markdown = `[a](b.md), [c](../d/e.md#f "title"), [g](#h), [i](https://example.org/j)
- ![k](l.png) and \`[m](n)\`

| head   |
| ------ |
| [o](p) |
`;
  deepStrictEqual(relativeLinks(markdown), ["b.md", "../d/e.md", "l.png", "p"]);
});

Deno.test("headingLinks() lists links to headings, of the text itself and of others", () => {
  const text = "[a](#limits) [b](docs/x.md#a-b) [c](https://example.org/#d) [e](y.md)";
  deepStrictEqual(headingLinks(text), [
    { path: "", heading: "limits" },
    { path: "docs/x.md", heading: "a-b" },
  ]);
});

Deno.test("headingNames() names headings as GitHub does", () => {
  const text = "# @x/a\n\n## useApi(`fn`, now = true)\n\nIn 30 Seconds\n---\n\n```sh\n# no\n```\n";
  deepStrictEqual(headingNames(text), ["xa", "useapifn-now--true", "in-30-seconds"]);
  deepStrictEqual(headingNames("# A\n\n## B\n\n### C\n\n## D e\n", 2), ["b", "d-e"]);
  deepStrictEqual(headingNames("# A\n\n## B\n\n### A\n\n## A\n", 2), ["b", "a-2"]);
});

Deno.test("shownOutput() reads the comments after what prints", () => {
  const cases: [string, string][] = [
    ["console.log(1); // 1", "1"],
    ["console.log(1);\n// 1\n\n// a note\nrun(); // this runs", "1"],
    [
      "console.log(\n  a(); // inside\n  2,\n);\n// [\n//   2 ]\nconsole.log(3); // 3",
      "[\n  2 ]\n3",
    ],
    [
      "{\n  console.log(1); // 1\n  console.log(\n    2,\n  );\n  // 2\n  a();\n  // a note\n}",
      "1\n2",
    ],
    ["console.log(1);\n\n// a note", ""],
  ];
  for (const [code, shown] of cases) strictEqual(shownOutput(code), shown, code);
});

const TABLES = `| head | of one |
| ---- | ------ |
| a    | \`b\` |
| c \\| d |    |

Text

| head |
| ---- |
| e    |
`;

Deno.test("tableRows() lists the cells of every table, without the heads", () => {
  deepStrictEqual(tableRows(TABLES), [["a", "`b`"], ["c | d", ""], ["e"]]);
  deepStrictEqual(tableRows("text"), []);
});
