import { deepStrictEqual, throws } from "node:assert/strict";
import { parsePublishReport } from "./published_packages.ts";

const REPORT = `Check a/mod.ts
Simulating publish of @x/a@0.1.0 with files:
   file:///home/me/x%20y/a/mod.ts (1.5KB)
   file:///home/me/x%20y/a/deno.json (258B)
Simulating publish of @x/b@1.2.3 with files:
   file:///home/me/x%20y/b/mod.ts (7B)
Success Dry run complete
`;

Deno.test("parsePublishReport() reads each package with its files", () => {
  deepStrictEqual(parsePublishReport(REPORT, "/home/me/x y"), [
    { name: "@x/a", version: "0.1.0", files: ["a/mod.ts", "a/deno.json"] },
    { name: "@x/b", version: "1.2.3", files: ["b/mod.ts"] },
  ]);
  deepStrictEqual(parsePublishReport("Success Dry run complete\n", "/"), []);
});

Deno.test("parsePublishReport() rejects what it can't read", () => {
  throws(() => parsePublishReport(REPORT, "/home/you"), {
    name: "RangeError",
    message: /^Cannot read the line "file:.*" of a dry run: it names no file of "\/home\/you"$/,
  });
});
