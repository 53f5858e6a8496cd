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
    ["console.log(1);\nif (a) {\n  console.log(2); // not at the outermost level\n}", ""],
  ];
  for (const [code, shown] of cases) strictEqual(shownOutput(code), shown, code);
});
