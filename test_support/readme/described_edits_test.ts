import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { describedEdits, withEdits } from "./described_edits.ts";

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

Deno.test("describedEdits() reads what each diff block takes away and puts in its place", () => {
  deepStrictEqual(describedEdits(PAGE), EDITS);
  deepStrictEqual(describedEdits("```diff\n-gone\n```\n"), [{ removed: "gone\n", added: "" }]);
});

Deno.test("withEdits() changes the lines that go and nothing else", () => {
  const old = `// from "old"\n${EDITS.map(({ removed }) => removed).join("const d = 1;\n")}`;
  const edited = `// from "old"\n${EDITS.map(({ added }) => added).join("const d = 1;\n")}`;
  strictEqual(withEdits(old, EDITS), edited);
  throws(() => withEdits(edited, EDITS), {
    name: "RangeError",
    message: 'Cannot edit the program: it lacks the line "import { a, b } from "old";"',
  });
});
