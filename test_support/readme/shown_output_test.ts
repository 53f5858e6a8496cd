import { strictEqual } from "node:assert/strict";
import { shownOutput } from "./shown_output.ts";

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
